import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the workspace whose stored bytes are to be sampled. */
export class VerifyPayload {
  @IsUUID() tenant_id!: string;
}

/** Compares some of the stored bytes of a workspace with their hashes. */
export const verify = defineJob('files.verify', {
  payload: VerifyPayload,
  attempts: 3,
  backoffMs: MINUTE,
  concurrency: 1,
  key: ({ tenant_id }) => tenant_id,
});
