import { Global, Module } from '@nestjs/common';
import { AccessModule, CallerDirectory } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { JobsModule } from '@atrium/platform/messaging';
import { DiscoveryModule } from '@nestjs/core';
import { AclSources } from './application/acl-sources';
import { ActingCallers } from './application/acting-callers';
import { Callers } from './application/callers';
import { ContentOwners } from './application/content-owners';
import { ContentTransfer } from './application/content-transfer';
import { Escalation } from './application/escalation';
import { FormerMembers } from './application/former-members';
import { Joining } from './application/joining';
import { KnownMembers } from './application/known-members';
import { Mail } from './application/mail';
import { MailDelivery } from './application/mail-delivery';
import { MeService } from './application/me.service';
import { PublishedKeys } from './application/published-keys';
import { ProvisioningService } from './application/provisioning.service';
import { Sessions } from './application/sessions';
import { SignInThrottle } from './application/sign-in-throttle';
import { SigningKeys } from './application/signing-keys';
import { WorkspaceCounters } from './application/workspace-counters';
import { WorkspaceFiles } from './application/workspace-files';
import { WorkspaceOptions } from './application/workspace-options';
import { WorkspacePurgers } from './application/workspace-purgers';
import { WorkspaceBrand } from './application/workspace-brand';
import { WorkspaceStanding } from './application/workspace-standing';
import { WorkspaceStarts } from './application/workspace-starts';
import { Mailer } from './domain/mailer';
import { FailureCounters } from './domain/failure-counters';
import { MeController } from './http/auth.controller';
import { InvitationsRepository } from './infrastructure/invitations.repository';
import { NoMailer, SmtpMailer } from './infrastructure/mail/smtp-mailer';
import { Passwords } from './infrastructure/passwords';
import { PostgresFailureCounters } from './infrastructure/postgres-failure-counters';
import { RedisFailureCounters } from './infrastructure/redis-failure-counters';
import { UsersRepository } from './infrastructure/users.repository';
import { MailHandler } from './jobs/mail.handler';
import { mail } from './jobs/mail.jobs';
import { TransferHandler } from './jobs/transfer.handler';
import { userTransfer } from './jobs/transfer.jobs';
import { PeopleHttpModule } from './people.module';
import { KeysHttpModule } from './keys.module';
import { RolesHttpModule } from './roles.module';
import { IssuersWorkerModule, SettingsHttpModule } from './settings.module';
import { WorkspacesHttpModule, WorkspacesModule, WorkspacesWorkerModule } from './workspaces.module';
import { SignInHttpModule } from './sign-in.module';

/** Mail leaves when a server is named. */
const MAILER = {
  provide: Mailer,
  useFactory: ({ SMTP_URL, MAIL_FROM }: Settings): Mailer => (SMTP_URL ? new SmtpMailer(SMTP_URL, MAIL_FROM) : new NoMailer()),
  inject: [Settings],
};

/** Failures of sign-in are counted where all processes see them. */
const FAILURE_COUNTERS = {
  provide: FailureCounters,
  useFactory: ({ REDIS_URL }: Settings, db: Database): FailureCounters =>
    REDIS_URL ? new RedisFailureCounters(REDIS_URL) : new PostgresFailureCounters(db),
  inject: [Settings, Database],
};

/** Who is calling, in which workspace, and may they. */
@Global()
@Module({
  imports: [WorkspacesModule],
  providers: [
    Passwords,
    PublishedKeys,
    SigningKeys,
    Sessions,
    FAILURE_COUNTERS,
    SignInThrottle,
    ProvisioningService,
    AclSources,
    ActingCallers,
    Escalation,
    FormerMembers,
    Joining,
    KnownMembers,
    InvitationsRepository,
    UsersRepository,
    { provide: CallerDirectory, useClass: Callers },
    MAILER,
    Mail,
    ContentOwners,
    WorkspaceFiles,
    WorkspaceOptions,
    WorkspaceCounters,
    WorkspacePurgers,
    WorkspaceBrand,
    WorkspaceStanding,
    WorkspaceStarts,
  ],
  exports: [
    FailureCounters,
    SignInThrottle,
    Sessions,
    ProvisioningService,
    AclSources,
    ActingCallers,
    Escalation,
    FormerMembers,
    Joining,
    KnownMembers,
    PublishedKeys,
    SigningKeys,
    CallerDirectory,
    Passwords,
    Mailer,
    Mail,
    ContentOwners,
    WorkspaceFiles,
    WorkspaceOptions,
    WorkspaceCounters,
    WorkspacePurgers,
    WorkspaceBrand,
    WorkspaceStanding,
    WorkspaceStarts,
    WorkspacesModule,
  ],
})
export class IdentityModule {}

@Module({
  imports: [
    IdentityModule,
    DiscoveryModule,
    AccessModule,
    PeopleHttpModule,
    RolesHttpModule,
    KeysHttpModule,
    SettingsHttpModule,
    SignInHttpModule,
    WorkspacesHttpModule,
  ],
  controllers: [MeController],
  providers: [MeService],
  exports: [AccessModule],
})
export class IdentityHttpModule {}

/** What this context does in a worker. */
@Module({
  imports: [IdentityModule, IssuersWorkerModule, WorkspacesWorkerModule, JobsModule.define([mail, userTransfer])],
  providers: [MailDelivery, MailHandler, ContentTransfer, UsersRepository, TransferHandler],
})
export class IdentityWorkerModule {}
