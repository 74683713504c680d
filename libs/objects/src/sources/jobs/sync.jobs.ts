import { IsUUID } from 'class-validator';
import { DAY } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';

export class SyncPayload {
  @IsUUID() job_id!: string;
}

export class DetachPayload {
  @IsUUID() osr_id!: string;
}

/** Reads a source. A run that is cut off goes on where its row says. */
export const syncObjects = defineJob('objects.sync', {
  payload: SyncPayload,
  attempts: 8,
  concurrency: 2,
  timeoutMs: DAY,
  key: ({ job_id }) => job_id,
});

/** Lets go the objects of a source that was deleted, then removes the source. */
export const detachSource = defineJob('objects.detach', { payload: DetachPayload, attempts: 8, key: ({ osr_id }) => osr_id });
