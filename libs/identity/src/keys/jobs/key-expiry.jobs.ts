import { defineSubscriber } from '@atrium/platform/messaging';

/** Notifies the owner of a key by mail that it is about to expire. */
export const keyExpiry = defineSubscriber('identity.key-expiry', { events: ['api_key.expiring'] });
