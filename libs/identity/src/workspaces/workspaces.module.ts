import { Module, type OnModuleInit } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { IdentitySweep } from './application/identity-sweep';
import { Installation } from './application/installation';
import { KeyExpiryNotice } from '../keys/application/key-expiry-notice';
import { Licences } from './application/licences.service';
import { Links } from '../mail/application/links';
import { OperatedMembers } from './application/operated-members';
import { OperatorCalls } from './application/operator-calls';
import { WorkspaceLife } from './application/workspace-life';
import { WorkspaceOwners } from './application/workspace-owners';
import { WorkspacePurge } from './application/workspace-purge';
import { WorkspacePurgers } from './application/workspace-purgers';
import { Workspaces } from './application/workspaces.service';
import { OperatorController, OperatorWorkspacesController } from './http/operator.controller';
import { InvitationsRepository } from '../people/infrastructure/invitations.repository';
import { WorkspaceLifeRows } from './infrastructure/workspace-life.rows';
import { WorkspaceRepository } from '../settings/infrastructure/workspace.repository';
import { KeyExpiryHandler } from '../keys/jobs/key-expiry.handler';
import { keyExpiry } from '../keys/jobs/key-expiry.jobs';
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
/** Rows of the platform itself: jobs and events at the very end, because all that went before may have told of itself. */
const PLATFORM_TABLES = ['idempotency_key', 'stream_event', 'background_job', 'outbox'];

/** How workspaces begin, live and end. */
@Module({
  providers: [
    Workspaces,
    WorkspaceOwners,
    WorkspaceLife,
    Licences,
    WorkspaceLifeRows,
    WorkspaceRepository,
    InvitationsRepository,
    Links,
    Installation,
    OperatedMembers,
  ],
  exports: [Workspaces, WorkspaceOwners, WorkspaceLife, Licences, WorkspaceLifeRows, Installation, OperatedMembers],
})
export class WorkspacesModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'identity', order: 900, tables: [...OWN_TABLES, ...PLATFORM_TABLES] });
  }
}

/** The routes of operators. */
@Module({ imports: [WorkspacesModule], controllers: [OperatorWorkspacesController, OperatorController], providers: [OperatorCalls] })
export class WorkspacesHttpModule {}

/** The purge of deleted workspaces, and the sweep of what has expired. */
@Module({
  imports: [WorkspacesModule, JobsModule.define([workspacePurge, keyExpiry])],
  providers: [KeyExpiryNotice, KeyExpiryHandler, WorkspacePurge, WorkspacePurgeHandler, IdentitySweep, IdentitySweepSchedule],
})
export class WorkspacesWorkerModule {}
