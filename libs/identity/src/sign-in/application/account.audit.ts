import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of how people sign in. */
export const ACCOUNT_AUDIT = defineAuditTypes({
  'account.password_changed': 'A person changed the password.',
  'account.password_reset': 'A person set a new password by a mailed link.',
  'account.email_changed': 'A person confirmed another e-mail address.',
  'account.email_restored': 'A person undid a change of the e-mail address by the link that was mailed to the former one.',
  'account.mfa_enabled': 'A person enrolled a second factor.',
  'account.mfa_disabled': 'A person took the second factor away.',
  'account.recovery_codes_renewed': 'A person made new recovery codes.',
  'account.sessions_ended': 'A person ended sessions.',
  'account.session_reused': 'A spent refresh token was presented again; the session was ended.',
});
