import { defineAuditTypes } from '@atrium/platform/access';

/** What is audited of roles. */
export const ROLE_AUDIT = defineAuditTypes({
  'role.created': 'A role was made.',
  'role.updated': 'A role was renamed, given other permissions or made the default.',
  'role.deleted': 'A role was deleted; its holders may have got another one instead.',
  'role.given': 'Users were given a role.',
  'role.taken': 'Users lost a role.',
});
