import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to taxonomies. */
export const TAXONOMIES_AUDIT = defineAuditTypes({
  'object_taxonomy.created': 'A taxonomy was created.',
  'object_taxonomy.updated': 'A taxonomy was changed, activated or deactivated.',
  'object_term.deleted': 'A term was deleted.',
});
