import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** The workspace whose time is over. */
export class WorkspacePurgePayload {
  @IsUUID() tenant_id!: string;
}

/** Purges a deleted workspace; one run at a time, taken up where the last one ended. */
export const workspacePurge = defineJob('identity.workspace-purge', {
  payload: WorkspacePurgePayload,
  attempts: 10,
  backoffMs: MINUTE,
  concurrency: 2,
  always: true,
  key: ({ tenant_id }) => tenant_id,
});
