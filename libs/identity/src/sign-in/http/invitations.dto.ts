import { Flag, Text } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';

/** An accepted invitation. */
@Accepts()
export class AcceptInvitation {
  @Text({ secret: true, min: 1, max: 512, about: 'Token of the link.', example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y' })
  token!: string;
  @Text({ optional: true, min: 1, about: 'Display name. Default: the name in the invitation.', example: 'Ada Lindgren' }) user_name?:
    string | null;
  @Text({
    secret: true,
    optional: true,
    min: 1,
    max: 6_000,
    format: 'password',
    about:
      'If `needs_password`, a new password: 12 to 256 characters that are hard to guess. If `needs_sign_in`, the password of the account, unless its bearer token is sent.',
    example: 'correct horse battery staple',
  })
  password?: string | null;
}

@Answer()
export class InvitationShown {
  @Text({ about: 'Workspace of the invitation.', example: 'Harbour Media' }) ws_name!: string;
  @Text({ about: 'The invited address, masked.', example: 'a***@example.com' }) invited_email_masked!: string;
  @Flag({ about: 'Whether a new password is required to accept.' }) needs_password!: boolean;
  @Flag({ about: 'Whether an account with the address exists. Accept with its bearer token or its password.' }) needs_sign_in!: boolean;
}
