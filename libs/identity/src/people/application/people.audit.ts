import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to people. */
export const PEOPLE_AUDIT = defineAuditTypes({
  'user.invited': 'A person was invited.',
  'user.invite_resent': 'A new invitation link was sent; the previous one stopped working.',
  'user.joined': 'A person accepted an invitation or signed in through an issuer, or a service user was created.',
  'user.updated': 'The record or the roles of a member were changed.',
  'user.suspended': 'A member was suspended.',
  'user.reactivated': 'A suspended member was reactivated.',
  'user.removed': 'A member was removed, left, or the invitation was withdrawn.',
  'user.sessions_ended': 'All sessions of a person were ended.',
  'user.mfa_disabled': 'The second factor of a person was removed.',
  'user.content_transfer': 'The content of a member was transferred to another one.',
});
