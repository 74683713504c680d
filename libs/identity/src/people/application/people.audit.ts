import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to people. */
export const PEOPLE_AUDIT = defineAuditTypes({
  'user.invited': 'A person was invited.',
  'user.invite_resent': 'A new invitation link was sent; the old one died.',
  'user.joined': 'A person accepted an invitation or came through an issuer, or a service user was made.',
  'user.updated': 'The record or the roles of a member were changed.',
  'user.suspended': 'A member was suspended.',
  'user.reactivated': 'A suspended member was let in again.',
  'user.removed': 'A member was removed, left, or the invitation was withdrawn.',
  'user.sessions_ended': 'All sessions of a person were ended.',
  'user.mfa_disabled': 'The second factor of a person was taken away.',
  'user.content_transfer': 'The content of a member was handed to another one.',
});
