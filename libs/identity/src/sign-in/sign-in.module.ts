import { Module, type Provider } from '@nestjs/common';
import { CallersModule } from '../callers/callers.module';
import { MailModule } from '../mail/mail.module';
import { PeopleModule } from '../people/people.module';
import { ThrottleModule } from '../throttle/throttle.module';
import { AccountNotices } from './application/account-notices';
import { EmailService } from './application/email.service';
import { InvitationAcceptanceService } from './application/invitation-acceptance.service';
import { OwnAccount } from './application/own-account';
import { OwnSessionsService } from './application/own-sessions.service';
import { PasswordProof } from './application/password-proof';
import { PasswordService } from './application/password.service';
import { RefreshService } from './application/refresh.service';
import { SecondFactorService } from './application/second-factor.service';
import { Sessions } from './application/sessions';
import { SignInService } from './application/sign-in.service';
import { AccountRecoveryController, OwnAccountController } from './http/account.controller';
import { AuthController } from './http/auth.controller';
import { InvitationsController } from './http/invitations.controller';
import { Accounts } from './infrastructure/accounts';
import { OneTimeCodes } from './infrastructure/one-time-codes';
import { Passwords } from './infrastructure/passwords';
import { SessionRows } from './infrastructure/session.rows';

const SIGN_IN: Provider[] = [
  AccountNotices,
  Accounts,
  EmailService,
  InvitationAcceptanceService,
  OneTimeCodes,
  OwnAccount,
  OwnSessionsService,
  PasswordProof,
  Passwords,
  PasswordService,
  RefreshService,
  SecondFactorService,
  SessionRows,
  Sessions,
  SignInService,
];

/** How people sign in, stay signed in and keep access: passwords, links, second factors, sessions. */
@Module({ imports: [CallersModule, MailModule, PeopleModule, ThrottleModule], providers: SIGN_IN, exports: SIGN_IN })
export class SignInModule {}

/** Its routes. */
@Module({
  imports: [SignInModule],
  controllers: [AuthController, AccountRecoveryController, OwnAccountController, InvitationsController],
})
export class SignInHttpModule {}
