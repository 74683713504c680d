import { Global, Module } from '@nestjs/common';
import { AccessModule, CallerDirectory } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { JobsModule } from '@atrium/platform/messaging';
import { DiscoveryModule } from '@nestjs/core';
import { AclSources } from './explanation/acl-sources';
import { ActingCallers } from './callers/application/acting-callers';
import { Callers } from './callers/application/callers';
import { ContentOwners } from './people/application/content-owners';
import { ContentTransfer } from './people/application/content-transfer';
import { Escalation } from './roles/application/escalation';
import { FormerMembers } from './people/application/former-members';
import { Joining } from './people/application/joining';
import { KnownMembers } from './people/application/known-members';
import { Mail } from './mail/application/mail';
import { MailDelivery } from './mail/application/mail-delivery';
import { MeService } from './people/application/me.service';
import { PublishedKeys } from './callers/application/published-keys';
import { ProvisioningService } from './workspaces/application/provisioning.service';
import { Sessions } from './sign-in/application/sessions';
import { SignInThrottle } from './throttle/sign-in-throttle';
import { SigningKeys } from './callers/application/signing-keys';
import { WorkspaceCounters } from './workspaces/application/workspace-counters';
import { WorkspaceFiles } from './settings/application/workspace-files';
import { WorkspaceOptions } from './settings/application/workspace-options';
import { WorkspacePurgers } from './workspaces/application/workspace-purgers';
import { WorkspaceBrand } from './settings/application/workspace-brand';
import { WorkspaceStanding } from './workspaces/application/workspace-standing';
import { WorkspaceStarts } from './workspaces/application/workspace-starts';
import { Mailer } from './mail/domain/mailer';
import { FailureCounters } from './throttle/failure-counters';
import { MeController } from './sign-in/http/auth.controller';
import { InvitationsRepository } from './people/infrastructure/invitations.repository';
import { NoMailer, SmtpMailer } from './mail/infrastructure/smtp-mailer';
import { Passwords } from './sign-in/infrastructure/passwords';
import { PostgresFailureCounters } from './throttle/postgres-failure-counters';
import { RedisFailureCounters } from './throttle/redis-failure-counters';
import { UsersRepository } from './people/infrastructure/users.repository';
import { MailHandler } from './mail/jobs/mail.handler';
import { mail } from './mail/jobs/mail.jobs';
import { TransferHandler } from './people/jobs/transfer.handler';
import { userTransfer } from './people/jobs/transfer.jobs';
import { PeopleHttpModule } from './people/people.module';
import { KeysHttpModule } from './keys/keys.module';
import { RolesHttpModule } from './roles/roles.module';
import { IssuersWorkerModule, SettingsHttpModule } from './settings/settings.module';
import { WorkspacesHttpModule, WorkspacesModule, WorkspacesWorkerModule } from './workspaces/workspaces.module';
import { SignInHttpModule } from './sign-in/sign-in.module';

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
