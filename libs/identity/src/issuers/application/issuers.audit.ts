import { defineAuditTypes } from '@atrium/platform/access';

export const ISSUERS_AUDIT = defineAuditTypes({
  'issuer.created': 'An issuer of sign-ins was trusted.',
  'issuer.updated': 'An issuer was changed.',
  'issuer.deleted': 'An issuer is trusted no more; the sessions it vouched for ended.',
});
