import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to what is kept. */
export const RETENTION_AUDIT = defineAuditTypes({
  'retention.updated': 'A retention period was changed.',
  'legal_hold.created': 'A legal hold was placed.',
  'legal_hold.released': 'A legal hold was released.',
});
