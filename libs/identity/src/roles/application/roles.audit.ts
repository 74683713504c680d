import { defineAuditTypes } from '@atrium/platform/access';

/** What is audited of roles. */
export const ROLE_AUDIT = defineAuditTypes({
  'role.created': 'A role was created.',
  'role.updated': 'A role was renamed, made the default or its permissions were changed.',
  'role.deleted': 'A role was deleted; another role may have been assigned to its users.',
  'role.given': 'A role was assigned to users.',
  'role.taken': 'A role was removed from users.',
});
