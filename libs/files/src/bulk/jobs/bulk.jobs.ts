import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the file job whose batches are to be done. */
export class BulkPayload {
  @IsUUID() job_id!: string;
}

/** Does the batches of a file job; goes on at the last checkpoint when a worker was lost on the way. */
export const bulk = defineJob('files.bulk', {
  payload: BulkPayload,
  attempts: 5,
  backoffMs: 2 * SECOND,
  bulk: true,
  key: ({ job_id }) => job_id,
});
