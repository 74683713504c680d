import { defineJob } from '@atrium/platform/messaging';
import { ArrayMaxSize, IsString } from 'class-validator';

/** Objects of jobs that are gone. */
export class DiscardObjects {
  @IsString({ each: true }) @ArrayMaxSize(1_000) keys!: string[];
}

/** Deletes what jobs had stored, after their rows. */
export const discardObjects = defineJob('knowledge.discard', { payload: DiscardObjects, attempts: 8 });
