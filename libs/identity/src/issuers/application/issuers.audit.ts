import { defineAuditTypes } from '@atrium/platform/access';

export const ISSUERS_AUDIT = defineAuditTypes({
  'issuer.created': 'An issuer was added.',
  'issuer.updated': 'An issuer was changed.',
  'issuer.deleted': 'An issuer was deleted; its sessions ended.',
});
