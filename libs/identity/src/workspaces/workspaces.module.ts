import { Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { EventStreams, JobsModule } from '@atrium/platform/messaging';
import { CallersModule } from '../callers/callers.module';
import { MailModule } from '../mail/mail.module';
import { PeopleModule } from '../people/people.module';
import { RolesModule } from '../roles/roles.module';
import { SettingsModule } from '../settings/settings.module';
import { SignInModule } from '../sign-in/sign-in.module';
import { ThrottleModule } from '../throttle/throttle.module';
import { IdentitySweep } from './application/identity-sweep';
import { Installation } from './application/installation';
import { Licences } from './application/licences.service';
import { OperatedMembers } from './application/operated-members';
import { OperatorCalls } from './infrastructure/operator-calls';
import { ProvisioningService } from './application/provisioning.service';
import { WorkspaceCounters } from './application/workspace-counters';
import { WorkspaceLife } from './application/workspace-life';
import { WorkspaceOwners } from './application/workspace-owners';
import { WorkspacePurge } from './application/workspace-purge';
import { WorkspacePurgers, type PurgedBatch } from './application/workspace-purgers';
import { WorkspaceStatusReader } from './infrastructure/workspace-status-reader';
import { WorkspaceStarts } from './application/workspace-starts';
import { Workspaces } from './application/workspaces.service';
import { OperatorController, OperatorWorkspacesController } from './http/operator.controller';
import { GrantedLicenceRows } from './infrastructure/granted-licence.rows';
import { InstallationRows } from './infrastructure/installation.rows';
import { OperatedMemberRows } from './infrastructure/operated-member.rows';
import { WorkspaceLifeRows } from './infrastructure/workspace-life.rows';
import { IdentitySweepSchedule } from './jobs/sweep.handler';
import { WorkspacePurgeHandler } from './jobs/workspace-purge.handler';
import { workspacePurge } from './jobs/workspace-purge.jobs';

/** What every workspace has, whatever contexts there are: goes last, since all else refers to people. */
const OWN_TABLES = [
  'account_link',
  'issuer_keys',
  'issuer',
  'invitation',
  'api_key',
  'user_role_link',
  'workspace_user',
  'role',
  'licence',
];
/** Rows of the platform itself: jobs and events at the very end, because earlier steps may have written some. */
const PLATFORM_TABLES = ['idempotency_key', 'stream_event', 'stream_fence', 'background_job', 'outbox'];

const WORKSPACES: Provider[] = [
  GrantedLicenceRows,
  Installation,
  InstallationRows,
  Licences,
  OperatedMemberRows,
  OperatedMembers,
  ProvisioningService,
  WorkspaceCounters,
  WorkspaceLife,
  WorkspaceLifeRows,
  WorkspaceOwners,
  WorkspacePurgers,
  Workspaces,
  WorkspaceStatusReader,
  WorkspaceStarts,
];

/** How workspaces begin, live and end, in the hands of operators. */
@Module({
  imports: [MailModule, PeopleModule, RolesModule, SettingsModule, SignInModule, ThrottleModule],
  providers: WORKSPACES,
  exports: WORKSPACES,
})
export class WorkspacesModule implements OnModuleInit {
  constructor(
    private readonly purgers: WorkspacePurgers,
    private readonly streams: EventStreams,
  ) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'identity',
      order: 900,
      tables: [...OWN_TABLES, ...PLATFORM_TABLES],
      beyond: { what: 'streams', purge: (tenant_id, batch) => this.forgetStreams(tenant_id, batch) },
    });
  }

  private async forgetStreams(tenant_id: string, batch: number): Promise<PurgedBatch> {
    const { removed, isDone } = await inWorkspace(tenant_id, () => this.streams.forgetOwn(batch));
    return { removed, left: isDone ? 0 : 1 };
  }
}

/** Its routes, and the record of who called them. */
@Module({
  imports: [WorkspacesModule, CallersModule],
  controllers: [OperatorWorkspacesController, OperatorController],
  providers: [OperatorCalls],
})
export class WorkspacesHttpModule {}

/** Its background work: the purge of deleted workspaces, and the sweep of what has expired. */
@Module({
  imports: [WorkspacesModule, JobsModule.define([workspacePurge])],
  providers: [IdentitySweep, IdentitySweepSchedule, WorkspacePurge, WorkspacePurgeHandler],
})
export class WorkspacesWorkerModule {}
