import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of what operators do to a workspace. */
export const WORKSPACES_AUDIT = defineAuditTypes({
  'workspace.created': 'An operator made the workspace.',
  'workspace.changed': 'An operator changed the name, slug, seats, reference or metadata of the workspace.',
  'workspace.suspended': 'An operator closed the workspace to its members.',
  'workspace.resumed': 'An operator opened the workspace again.',
  'workspace.deletion_planned': 'An operator deleted the workspace; it is purged when its grace is over.',
  'workspace.restored': 'An operator took the deletion of the workspace back.',
  'workspace.owner_added': 'An operator made somebody an owner of the workspace.',
  'workspace.roles_set': 'An operator gave a member other roles.',
  'workspace.password_reset': 'An operator gave a member another password.',
  'workspace.mfa_disabled': 'An operator took the second factor of a member away.',
  'license.granted': 'A module was granted, or its licence changed.',
  'license.revoked': 'The licence of a module was ended.',
});
