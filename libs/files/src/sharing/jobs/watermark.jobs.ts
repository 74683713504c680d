import { defineJob } from '@atrium/platform/messaging';
import { SECOND } from '@atrium/platform/kernel';
import { IsOptional, IsString, IsUUID, Matches } from 'class-validator';

/** Names the blob whose pictures get a mark, and the mark: a text or the picture of another blob. */
export class WatermarkPayload {
  @IsUUID() blob_id!: string;
  @Matches(/^[0-9a-f]{16}$/) digest!: string;
  @IsOptional() @IsString() text?: string;
  @IsOptional() @IsUUID() picture?: string;
}

/** Lays a mark over the pictures of a blob, once. */
export const watermark = defineJob('files.watermark', {
  payload: WatermarkPayload,
  attempts: 4,
  backoffMs: SECOND,
  concurrency: 2,
  key: ({ blob_id, digest }) => `${blob_id}.${digest}`,
});
