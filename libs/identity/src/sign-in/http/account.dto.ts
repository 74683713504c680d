import { EMAIL_FORM, Flag, Ref, Stamp, Text, TextList } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, PageOf } from '@atrium/platform/http';

const MAX_SECRET = 6_000;

/** Another address to sign in with. */
@Accepts()
export class ChangeEmailBody {
  @Text({ min: 3, max: 254, format: 'email', form: EMAIL_FORM, about: 'The new address.', example: 'ada@example.com' })
  email!: string;
  @Text({ secret: true, min: 1, max: MAX_SECRET, format: 'password', about: 'The current password.', example: 'correct horse battery' })
  password!: string;
}

/** Another password. */
@Accepts()
export class ChangePasswordBody {
  @Text({ secret: true, min: 1, max: MAX_SECRET, format: 'password', about: 'The current password.', example: 'correct horse battery' })
  current_password!: string;
  @Text({
    secret: true,
    min: 1,
    max: MAX_SECRET,
    format: 'password',
    about: 'The new password: 12 to 256 characters that are hard to guess.',
    example: 'three herons on a rusty bridge',
  })
  password!: string;
  @Flag({
    optional: true,
    about:
      'Whether the API keys you created for yourself are revoked too, in every workspace. Use it if someone else may know the password.',
  })
  revoke_keys?: boolean | null;
}

/** A code of the second factor. */
@Accepts()
export class CodeBody {
  @Text({
    secret: true,
    min: 6,
    max: 32,
    about: 'Six digits of the authenticator, or a recovery code where one is accepted.',
    example: '123456',
  })
  code!: string;
}

@Answer()
export class EnrolmentView {
  @Text({ about: 'The secret in base32, for manual entry.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }) secret!: string;
  @Text({
    max: 2_000,
    about: 'The secret as a URI for a QR code.',
    example: 'otpauth://totp/Atrium:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Atrium',
  })
  otpauth_uri!: string;
}

@Answer()
export class RecoveryCodesView {
  @TextList({ about: 'Ten codes, each valid for one sign-in; returned only in this response.', example: ['7XK4M-Q2WRT'] })
  recovery_codes!: string[];
}

@Answer()
class SessionView {
  @Ref({ about: 'Id of the session.' }) ses_id!: string;
  @Stamp({ about: 'When the person signed in.' }) ses_created!: string;
  @Stamp({ about: 'Last use, to the minute.' }) ses_last_used_at!: string;
  @Stamp({ about: 'When the session expires at the latest.' }) ses_expires_at!: string;
  @Text({ optional: true, about: 'IP address the person signed in from.', example: '203.0.113.7' }) ses_ip!: string | null;
  @Text({ optional: true, max: 512, about: 'User agent the person signed in with.', example: 'Mozilla/5.0' }) ses_user_agent!:
    string | null;
  @TextList({ about: 'Methods of the sign-in: `pwd` password, `otp` second factor, `ext` external issuer.', example: ['pwd', 'otp'] })
  ses_methods!: string[];
  @Ref({ optional: true, about: 'External issuer of the sign-in.' }) ses_issuer!: string | null;
  @Flag({ about: 'Whether it is the current session.' }) ses_current!: boolean;
}

@Answer()
export class SessionPage extends PageOf(SessionView) {}

export class ListSessions {
  cursor?: string;
  limit?: number;
  offset?: number;
  sort?: string;
}
acceptParameter(
  ListSessions,
  { name: 'offset', kind: 'whole', min: 0, max: 10_000_000 },
  { type: 'integer', minimum: 0, description: 'Number of rows to skip. Use `cursor` for deep pages: it is faster.' },
);
acceptParameter(
  ListSessions,
  { name: 'sort', kind: 'text', max: 100_000 },
  {
    type: 'string',
    maxLength: 64,
    pattern: '^-?[a-z0-9_]+$',
    description: 'Only `-ses_created` is supported. Any other value means the same.',
  },
);
acceptParameter(
  ListSessions,
  { name: 'cursor', kind: 'text', max: 100_000 },
  { type: 'string', maxLength: 512, pattern: '^[A-Za-z0-9_-]+$', description: '`next_cursor` of the previous page.' },
);
acceptParameter(
  ListSessions,
  { name: 'limit', kind: 'whole', min: 1 },
  {
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Number of rows per page. A value above 1000 is reduced to 1000.',
  },
);
