import { Choice, EMAIL_FORM, Flag, IdList, Nested, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf } from '@atrium/platform/http';

/** Longer than any password: so that none is trimmed, and 300 characters are refused with a reason. */
const MAX_SECRET = 6_000;

/** E-mail and password of a person. */
@Accepts()
export class LoginBody {
  @Text({
    min: 3,
    max: 254,
    format: 'email',
    form: EMAIL_FORM,
    about: 'E-mail address of the account.',
    example: 'owner@example.com',
  })
  email!: string;
  @Text({ secret: true, min: 1, max: MAX_SECRET, format: 'password', about: 'Password of the account.', example: 'correct horse battery' })
  password!: string;
  @Text({
    secret: true,
    optional: true,
    min: 1,
    max: 512,
    about: '`device_token` of an earlier sign-in on this device. Its failed attempts are counted separately from those of unknown devices.',
  })
  device_token?: string | null;
  @Ref({
    omittable: true,
    about: 'Workspace to sign in to: the person must be a member, and its settings limit the lifetime and idle time of the session.',
  })
  ws_id?: string;
}

/** The second step of a sign-in. */
@Accepts()
export class MfaBody {
  @Text({
    secret: true,
    min: 1,
    max: 512,
    about: '`mfa_token` of the first step.',
    example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y',
  })
  mfa_token!: string;
  @Text({ secret: true, min: 6, max: 32, about: 'Six digits of the authenticator, or a recovery code.', example: '123456' }) code!: string;
}

/** Whose password was forgotten. */
@Accepts()
export class ForgotBody {
  @Text({
    min: 3,
    max: 254,
    format: 'email',
    form: EMAIL_FORM,
    about: 'E-mail address of the account.',
    example: 'owner@example.com',
  })
  email!: string;
}

/** A new password against a mailed token. */
@Accepts()
export class ResetBody {
  @Text({
    secret: true,
    min: 1,
    max: 512,
    about: 'Token of the mailed link; can be used once within an hour.',
    example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y',
  })
  token!: string;
  @Text({
    secret: true,
    min: 1,
    max: MAX_SECRET,
    format: 'password',
    about: 'The new password: 12 to 256 characters that are hard to guess.',
    example: 'three herons on a rusty bridge',
  })
  password!: string;
}

/** Confirms an e-mail address. */
@Accepts()
export class ConfirmBody {
  @Text({
    secret: true,
    min: 1,
    max: 512,
    about: 'Token of the mailed link; can be used once within a day.',
    example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y',
  })
  token!: string;
}

/** Takes an account back by the link that was mailed to its former address. */
@Accepts()
export class UndoEmailBody {
  @Text({
    secret: true,
    min: 1,
    max: 512,
    about: 'Token of the link mailed to the previous address; can be used once within seven days.',
    example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y',
  })
  token!: string;
  @Text({
    secret: true,
    min: 1,
    max: MAX_SECRET,
    format: 'password',
    about: 'A new password: 12 to 256 characters that are hard to guess.',
    example: 'three herons on a rusty bridge',
  })
  password!: string;
}

/** A refresh token from an earlier answer. */
@Accepts()
export class RefreshBody {
  @Text({
    secret: true,
    min: 1,
    max: 512,
    about: '`refresh_token` of the latest sign-in or refresh; each can be used once.',
    example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y',
  })
  refresh_token!: string;
}

/** The session to end. */
@Accepts()
export class LogoutBody {
  @Text({
    secret: true,
    min: 1,
    max: 512,
    omittable: true,
    about: 'Refresh token of the session to end. Default: the session of the bearer token.',
  })
  refresh_token?: string;
}

@Answer()
export class SignedInUser {
  @Ref({ about: 'Id of the person, the same in every workspace.' }) user_id!: string;
  @Text({ format: 'email', about: 'E-mail address.', example: 'owner@example.com' }) user_email!: string;
  @Text({ about: 'Name in the first of the workspaces.', example: 'Ada Owner' }) user_name!: string;
}

@Answer()
export class SignedInWorkspace {
  @Ref({ filter: 'equals', about: 'Id of the workspace, for `X-Tenant-Id`.' }) ws_id!: string;
  @Text({ about: 'Name of the workspace.', example: 'Demo' }) ws_name!: string;
  @Text({ about: 'Short name of the workspace.', example: 'demo' }) ws_slug!: string;
  @Choice(['invited', 'active', 'suspended'], { about: 'Status of the membership.' }) user_status!: string;
  @IdList({ about: 'Ids of the roles in the workspace.' }) user_roles!: string[];
}

@Answer()
export class SignedInView {
  @Text({ max: 4_000, about: 'JWT for `Authorization: Bearer`.', example: 'eyJhbGciOiJFUzI1NiIsImtpZCI6Ij…' }) access_token!: string;
  @Choice(['Bearer'], { about: 'Authentication scheme of the access token.' }) token_type!: string;
  @Whole({ about: 'Lifetime of the access token in seconds.', example: 900 }) expires_in!: number;
  @Text({ max: 512, about: 'Single-use token for `POST /auth/refresh`.', example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y' })
  refresh_token!: string;
  @Whole({ about: 'Lifetime of the refresh token in seconds.', example: 86_400 }) refresh_expires_in!: number;
  @Text({
    omittable: true,
    max: 512,
    about:
      'Returned after a sign-in with a password. Store it on the device and send it with the next sign-in. It does not authenticate anyone and is valid for 90 days or until the password changes.',
  })
  device_token?: string;
  @Nested(() => SignedInUser, { about: 'The person who signed in.' }) user!: SignedInUser;
  @NestedList(() => SignedInWorkspace, { about: 'Workspaces the person belongs to.' }) workspaces!: SignedInWorkspace[];
}

@Answer()
export class MfaRequiredView {
  @Flag({ about: 'Always true: a code is needed as well.' }) mfa_required!: boolean;
  @Text({
    max: 512,
    about: 'Token for `POST /auth/mfa`; five wrong codes invalidate it.',
    example: 'mB1mNs0mRgmd3gqvT2qnH0cgfE1mGvJ0dQb2sW8Zt5Y',
  })
  mfa_token!: string;
  @Whole({ about: 'Lifetime of the token in seconds.', example: 300 }) expires_in!: number;
  @TextList({ about: 'Accepted kinds of codes.', example: ['totp', 'recovery_code'] }) mfa_methods!: string[];
}

@Answer()
export class OwnWorkspaceView {
  @Ref({ about: 'Id of the workspace, for `X-Tenant-Id`.' }) ws_id!: string;
  @Text({ sort: true, filter: 'contains', about: 'Name of the workspace.', example: 'Demo' }) ws_name!: string;
  @Text({ sort: true, filter: 'contains', about: 'Short name of the workspace.', example: 'demo' }) ws_slug!: string;
  @Choice(['active', 'suspended', 'deleting'], { filter: 'equals', about: 'Status of the workspace.' }) ws_status!: string;
  @Choice(['invited', 'active', 'suspended'], { filter: 'equals', about: 'Status of the membership.' }) user_status!: string;
  @IdList({ about: 'Ids of the roles in the workspace.' }) user_roles!: string[];
}

@Answer()
export class OwnWorkspacePage extends PageOf(OwnWorkspaceView) {}
export class ListOwnWorkspaces extends ListQuery(OwnWorkspaceView, { whole: true }) {}
