import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsIn } from 'class-validator';

/** Why the workspace is looked through. */
export class SmartAlbumsPayload {
  @IsIn(['day', 'filter']) because!: 'day' | 'filter';
}

/** Finds out what entered and left the smart albums of a workspace; one run at a time. */
export const smartAlbums = defineJob('media.smart-albums', {
  payload: SmartAlbumsPayload,
  bulk: true,
  attempts: 3,
  timeoutMs: 30 * MINUTE,
  key: () => 'all',
});
