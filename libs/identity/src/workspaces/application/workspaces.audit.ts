import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of what operators do to a workspace. */
export const WORKSPACES_AUDIT = defineAuditTypes({
  'workspace.created': 'An operator created the workspace.',
  'workspace.changed': 'An operator changed the name, slug, seat limit, external id or metadata of the workspace.',
  'workspace.suspended': 'An operator suspended the workspace.',
  'workspace.resumed': 'An operator resumed the workspace.',
  'workspace.deletion_planned': 'An operator deleted the workspace; it is purged after its grace period.',
  'workspace.restored': 'An operator restored the workspace.',
  'workspace.owner_added': 'An operator added an owner to the workspace.',
  'workspace.roles_set': 'An operator changed the roles of a member.',
  'workspace.password_reset': 'An operator reset the password of a member.',
  'workspace.mfa_disabled': 'An operator removed the second factor of a member.',
  'license.granted': 'A module was granted, or its licence changed.',
  'license.revoked': 'The licence for a module was ended.',
});
