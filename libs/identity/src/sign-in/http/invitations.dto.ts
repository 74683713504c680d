import { Flag, Text } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';

/** An accepted invitation. */
@Accepts()
export class AcceptInvitation {
  @Text({ secret: true, min: 1, max: 512, about: 'Token of the link.', example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y' })
  token!: string;
  @Text({ optional: true, min: 1, about: 'Name to be known by; absent: as invited.', example: 'Ada Lindgren' }) user_name?: string | null;
  @Text({
    secret: true,
    optional: true,
    min: 1,
    max: 6_000,
    format: 'password',
    about:
      'A new one where `needs_password`: 12 to 256 characters that are hard to guess. Where `needs_sign_in`, the password of the account, unless its bearer is sent.',
    example: 'correct horse battery staple',
  })
  password?: string | null;
}

@Answer()
export class InvitationShown {
  @Text({ about: 'Workspace the link leads to.', example: 'Harbour Media' }) ws_name!: string;
  @Text({ about: 'The invited address, masked.', example: 'a***@example.com' }) invited_email_masked!: string;
  @Flag({ about: 'Whether accepting needs a new password.' }) needs_password!: boolean;
  @Flag({ about: 'Whether the address has an account: accept with its bearer, or with its password.' }) needs_sign_in!: boolean;
}
