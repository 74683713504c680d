import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the privacy request that is due. */
export class PrivacyPayload {
  @IsUUID() dsr_id!: string;
}

/** Hands out or erases a person's data; takes up where a worker was lost. */
export const privacy = defineJob('governance.privacy', {
  payload: PrivacyPayload,
  attempts: 5,
  backoffMs: 5 * SECOND,
  key: ({ dsr_id }) => dsr_id,
});
