import { ArrayMaxSize, IsArray, IsUUID } from 'class-validator';
import { defineJob } from '@atrium/platform/messaging';

export class MetricsPayload {
  @IsUUID() tgt_id!: string;
  @IsArray() @ArrayMaxSize(20) @IsUUID(undefined, { each: true }) spv_ids!: string[];
}

/** Reads the numbers of posts of one target. */
export const readMetrics = defineJob('social.metrics', { payload: MetricsPayload, attempts: 3 });
