import { Module } from '@nestjs/common';
import { AccessModule } from '@atrium/platform/access';
import { AccountNews } from './application/account-news';
import { EmailService } from './application/email.service';
import { KnownDevices } from './application/known-devices';
import { Links } from '../mail/application/links';
import { OwnAccount } from './application/own-account';
import { OwnSessionsService } from './application/own-sessions.service';
import { PasswordProof } from './application/password-proof';
import { PasswordService } from './application/password.service';
import { RefreshService } from './application/refresh.service';
import { ReuseNotice } from './application/reuse-notice';
import { SecondFactorService } from './application/second-factor.service';
import { SignInService } from './application/sign-in.service';
import { AccountRecoveryController, OwnAccountController } from './http/account.controller';
import { AuthController, JwksController } from './http/auth.controller';
import { Accounts } from './infrastructure/accounts';
import { OneTimeCodes } from './infrastructure/one-time-codes';

/** How people sign in, stay signed in and keep their way in: passwords, second factors, sessions. */
@Module({
  imports: [AccessModule],
  controllers: [AuthController, AccountRecoveryController, OwnAccountController, JwksController],
  providers: [
    Accounts,
    OneTimeCodes,
    AccountNews,
    KnownDevices,
    Links,
    OwnAccount,
    PasswordProof,
    SignInService,
    RefreshService,
    ReuseNotice,
    PasswordService,
    EmailService,
    SecondFactorService,
    OwnSessionsService,
  ],
  exports: [SignInService, PasswordProof],
})
export class SignInHttpModule {}
