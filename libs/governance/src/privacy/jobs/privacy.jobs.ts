import { SECOND } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the privacy request that is due. */
export class PrivacyPayload {
  @IsUUID() dsr_id!: string;
}

/** Takes up erasures that wait for legal holds. */
export const holdsEnded = defineSubscriber('governance.holds-ended', { events: ['legal_hold.released'] });

/** Hands out or erases a person's data; takes up where a worker was lost. */
export const privacy = defineJob('governance.privacy', {
  payload: PrivacyPayload,
  attempts: 5,
  backoffMs: 5 * SECOND,
  key: ({ dsr_id }) => dsr_id,
});
