import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';

/** Which workspace is looked through follows from whom the job is for. */
export class SmartAlbumsPayload {}

/** Finds out what entered and left the smart albums of a workspace; one look at a time. */
export const smartAlbums = defineJob('media.smart-albums', { payload: SmartAlbumsPayload, attempts: 3, timeoutMs: 30 * MINUTE, key: () => 'all' });
