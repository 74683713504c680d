import { Global, Module } from '@nestjs/common';
import { AccessModule, CallerDirectory } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { JobsModule } from '@atrium/platform/messaging';
import { DiscoveryModule } from '@nestjs/core';
import { AclSources } from './application/acl-sources';
import { Callers } from './application/callers';
import { ContentOwners } from './application/content-owners';
import { Escalation } from './application/escalation';
import { Mail } from './application/mail';
import { MailDelivery } from './application/mail-delivery';
import { MeService } from './application/me.service';
import { ProvisioningService } from './application/provisioning.service';
import { Sessions } from './application/sessions';
import { SignInService } from './application/sign-in.service';
import { SigningKeys } from './application/signing-keys';
import { WorkspaceFiles } from './application/workspace-files';
import { WorkspaceOptions } from './application/workspace-options';
import { Mailer } from './domain/mailer';
import { AuthController, JwksController, MeController } from './http/auth.controller';
import { NoMailer, SmtpMailer } from './infrastructure/mail/smtp-mailer';
import { Passwords } from './infrastructure/passwords';
import { MailHandler } from './jobs/mail.handler';
import { mail } from './jobs/mail.jobs';
import { RolesHttpModule } from './roles.module';
import { SettingsHttpModule } from './settings.module';

/** Mail leaves when a server is named. */
const MAILER = { provide: Mailer, useFactory: ({ SMTP_URL, MAIL_FROM }: Settings): Mailer => (SMTP_URL ? new SmtpMailer(SMTP_URL, MAIL_FROM) : new NoMailer()), inject: [Settings] };

/** Who is calling, in which workspace, and may they. */
@Global()
@Module({
  providers: [Passwords, SigningKeys, Sessions, ProvisioningService, AclSources, Escalation, { provide: CallerDirectory, useClass: Callers }, MAILER, Mail, ContentOwners, WorkspaceFiles, WorkspaceOptions],
  exports: [Sessions, ProvisioningService, AclSources, Escalation, SigningKeys, CallerDirectory, Passwords, Mailer, Mail, ContentOwners, WorkspaceFiles, WorkspaceOptions],
})
export class IdentityModule {}

@Module({
  imports: [IdentityModule, DiscoveryModule, AccessModule, RolesHttpModule, SettingsHttpModule],
  controllers: [AuthController, MeController, JwksController],
  providers: [SignInService, MeService],
  exports: [AccessModule],
})
export class IdentityHttpModule {}

/** What this context does in a worker. */
@Module({
  imports: [IdentityModule, JobsModule.define([mail])],
  providers: [MailDelivery, MailHandler],
})
export class IdentityWorkerModule {}
