import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of how people sign in. */
export const ACCOUNT_AUDIT = defineAuditTypes({
  'account.password_changed': 'A person changed the password.',
  'account.password_reset': 'A person set a new password with a mailed link.',
  'account.email_changed': 'A person confirmed a new e-mail address.',
  'account.email_restored': 'A person undid a change of the e-mail address with the link mailed to the previous address.',
  'account.mfa_enabled': 'A person set up a second factor.',
  'account.mfa_disabled': 'A person removed the second factor.',
  'account.recovery_codes_renewed': 'A person created new recovery codes.',
  'account.sessions_ended': 'A person ended sessions.',
  'account.session_reused': 'A used refresh token was presented again; the session was ended.',
});
