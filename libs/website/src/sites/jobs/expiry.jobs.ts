import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsIn } from 'class-validator';

/** Why the websites of a workspace are tidied. */
export class ExpirePayload {
  @IsIn(['hour']) because!: 'hour';
}

/** Removes deleted sites and pages that can no longer be restored, and whatever else of websites has expired. */
export const expireWebsites = defineJob('website.expire', {
  payload: ExpirePayload,
  bulk: true,
  attempts: 3,
  timeoutMs: 60 * MINUTE,
  key: () => 'all',
});
