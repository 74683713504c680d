import { defineSubscriber } from '@atrium/platform/messaging';

/** Tells whoever holds a key, by mail, that it is about to end. */
export const keyExpiry = defineSubscriber('identity.key-expiry', { events: ['api_key.expiring'] });
