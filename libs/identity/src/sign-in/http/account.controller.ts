import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, Public, self, SIGN_IN_BODY } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { AnswersSecret, Deletes, HasId, PathId, Problems, Returns, Takes } from '@atrium/platform/http';
import { EndedSessions } from '../../people/http/users.dto';
import { EmailService } from '../application/email.service';
import { OwnSessionsService, type SessionAnswer } from '../application/own-sessions.service';
import { PasswordService } from '../application/password.service';
import { SecondFactorService, type Enrolment, type RecoveryCodes } from '../application/second-factor.service';
import { ChangeEmailBody, ChangePasswordBody, CodeBody, EnrolmentView, ListSessions, RecoveryCodesView, SessionPage } from './account.dto';
import { ConfirmBody, ForgotBody, ResetBody, UndoEmailBody } from './auth.dto';

const SECRET = { rate: 'auth', log: 'none' } as const;

@ApiTags('Sign-in')
@Controller('auth')
export class AccountRecoveryController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly emails: EmailService,
  ) {}

  /**
   * Mails a link to set a new password.
   *
   * The response is the same whether or not the account exists. The link can be used once, within an hour.
   */
  @Post('password/forgot')
  @Named('requestPasswordReset')
  @Public('a person who forgot the password cannot sign in', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Takes()
  forgot(@FromBody() { email }: ForgotBody): object {
    this.passwords.requestReset(email);
    return {};
  }

  /**
   * Sets a new password with a mailed link.
   *
   * Ends all sessions of the person, invalidates all other links, changes of address and enrollments in progress, and revokes the API
   * keys the person created, in all workspaces; API keys of service users remain. If the address of the account was never confirmed,
   * its second factor is removed too. 401 when the link was used or has expired; 400 when the password is too easy to guess, and the
   * link remains valid.
   */
  @Post('password/reset')
  @Named('resetPassword')
  @Public('the mailed token is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Deletes()
  @Problems('unauthenticated')
  reset(@FromBody() { token, password }: ResetBody): Promise<void> {
    return this.passwords.resetPassword(token, password);
  }

  /**
   * Confirms an e-mail address with a mailed link.
   *
   * Completes the change of address in the account and all its memberships. The previous address is mailed a link that undoes the
   * change for seven days (`POST /auth/email/undo`).
   */
  @Post('email/confirm')
  @Named('confirmEmail')
  @Public('the mailed token is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Deletes()
  @Problems('unauthenticated', 'already_exists', 'invalid_state')
  confirm(@FromBody() { token }: ConfirmBody): Promise<void> {
    return this.emails.confirmEmailChange(token);
  }

  /**
   * Undoes a change of e-mail address with the link mailed to the previous one.
   *
   * Restores the previous address in the account and all its memberships and sets a new password. Ends all sessions, invalidates all
   * other links and enrollments in progress, removes a second factor that was set up after the change was requested, and revokes the
   * API keys the person created. 401 when the link was used or has expired; 409 when another account has confirmed the address since.
   */
  @Post('email/undo')
  @Named('undoEmailChange')
  @Public('the mailed token is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Deletes()
  @Problems('unauthenticated', 'already_exists')
  undo(@FromBody() { token, password }: UndoEmailBody): Promise<void> {
    return this.emails.undoEmailChange(token, password);
  }
}

@ApiTags('Me')
@Controller('me')
export class OwnAccountController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly emails: EmailService,
    private readonly factor: SecondFactorService,
    private readonly sessions: OwnSessionsService,
  ) {}

  /**
   * Requests a change of the e-mail address.
   *
   * A link is mailed to the new address, and nothing changes until it is used. 409 while the current address has not been confirmed by
   * mail.
   */
  @Post('email')
  @Named('changeMyEmail')
  @Policy(self, { byKey: 'refused', stepUp: true, rate: 'auth', log: 'none' })
  @Takes('A link was mailed.')
  @Problems('rate_limited', 'not_configured', 'invalid_state')
  async changeEmail(@Caller() caller: Principal, @FromBody() { email, password }: ChangeEmailBody): Promise<object> {
    await this.emails.requestEmailChange(caller, email, password);
    return {};
  }

  /**
   * Changes the password.
   *
   * Ends all other sessions, and invalidates all links, changes of address and enrollments in progress; with `revoke_keys`, the API
   * keys you created are revoked as well. 401 when the current password is wrong, 400 when the new one is too easy to guess.
   */
  @Post('password')
  @Named('changeMyPassword')
  @Policy(self, { byKey: 'refused', stepUp: true, rate: 'auth', log: 'none' })
  @Deletes()
  @Problems('rate_limited', 'invalid_state')
  changePassword(@Caller() caller: Principal, @FromBody() body: ChangePasswordBody): Promise<void> {
    return this.passwords.changePassword(caller, body);
  }

  /**
   * Begins to set up an authenticator.
   *
   * Returns a secret. Confirm it with a first code (`POST /me/mfa/totp/verify`) within ten minutes.
   */
  @Post('mfa/totp')
  @Named('enrollTotp')
  @Policy(self, { byKey: 'refused', stepUp: true, enrolling: true, ...SECRET })
  @Returns(EnrolmentView, 'The secret.')
  @AnswersSecret()
  @Problems('invalid_state')
  enrol(@Caller() caller: Principal): Promise<Enrolment> {
    return this.factor.beginEnrolment(caller);
  }

  /**
   * Activates the second factor with a first code.
   *
   * Returns ten recovery codes, which are shown only in this response. The code can be used once more to sign in.
   */
  @Post('mfa/totp/verify')
  @Named('verifyTotp')
  @Policy(self, { byKey: 'refused', enrolling: true, ...SECRET })
  @Returns(RecoveryCodesView, 'The recovery codes.')
  @AnswersSecret()
  @Problems('invalid_state', 'rate_limited')
  verify(@Caller() caller: Principal, @FromBody() { code }: CodeBody): Promise<RecoveryCodes> {
    return this.factor.confirmEnrolment(caller, code);
  }

  /**
   * Creates ten new recovery codes.
   *
   * The previous codes stop working.
   */
  @Post('mfa/recovery-codes')
  @Named('createRecoveryCodes')
  @Policy(self, { byKey: 'refused', stepUp: true, enrolling: true, ...SECRET })
  @Returns(RecoveryCodesView, 'The recovery codes.')
  @AnswersSecret()
  @Problems('invalid_state')
  recoveryCodes(@Caller() caller: Principal): Promise<RecoveryCodes> {
    return this.factor.renewRecoveryCodes(caller);
  }

  /**
   * Removes the second factor.
   *
   * Requires a code of the authenticator or a recovery code. 409 while one of your workspaces requires a second factor.
   */
  @Delete('mfa/totp')
  @Named('removeTotp')
  @Policy(self, { byKey: 'refused', stepUp: true, enrolling: true, ...SECRET })
  @Deletes({ stays: true })
  @Problems('invalid_state', 'rate_limited')
  removeFactor(@Caller() caller: Principal, @FromBody() { code }: CodeBody): Promise<void> {
    return this.factor.removeSecondFactor(caller, code);
  }

  /**
   * Lists your active sessions.
   *
   * Sorted by creation time, newest first, across all workspaces: a session belongs to the person.
   */
  @Get('sessions')
  @Policy(self, { byKey: 'refused' })
  @Returns(SessionPage, 'A page of sessions.')
  list(@Caller() caller: Principal, @Query() query: ListSessions): Promise<Page<SessionAnswer>> {
    return this.sessions.list(caller, query);
  }

  /**
   * Ends all your sessions except the current one.
   *
   * Their tokens are refused from the next request on.
   */
  @Delete('sessions')
  @Named('endMyOtherSessions')
  @Policy(self, { byKey: 'refused' })
  @Returns(EndedSessions, 'Number of sessions that were ended.')
  endOthers(@Caller() caller: Principal): Promise<{ revoked: number }> {
    return this.sessions.endOthers(caller);
  }

  /**
   * Ends one of your sessions.
   *
   * Its tokens are refused from the next request on.
   */
  @Delete('sessions/:id')
  @Named('endMySession')
  @Policy(self, { byKey: 'refused' })
  @HasId('id', 'Id of the session.')
  @Deletes()
  end(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.sessions.endSession(caller, id);
  }
}
