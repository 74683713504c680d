import { PermissionUse } from '@atrium/identity';
import { AccessModule, Audit } from '@atrium/platform/access';
import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './application/audit-trail';
import { AccessLogWriter } from './application/access-log.writer';
import { RouteNotes } from './application/route-notes';
import { RowDelivery } from './application/row-delivery';
import { PartitionKeeping } from './application/partition-keeping';
import { WorkspaceRecords } from './application/workspace-records';
import { JobsController } from './http/jobs.controller';
import { AccessLogRows } from './infrastructure/access-log.rows';
import { PermissionUseRows } from './infrastructure/permission-use.rows';
import { SpilledRows } from './infrastructure/spilled-rows';
import { Partitions } from './infrastructure/partitions';
import { PartitionsSchedule } from './jobs/partitions.schedule';

/** Measuring and limiting: for now, the record of who asked for what. */
@Global()
@Module({ providers: [WorkspaceRecords, AccessLogRows, Partitions, PartitionKeeping, { provide: Audit, useClass: AuditTrail }, { provide: PermissionUse, useClass: PermissionUseRows }], exports: [AccessLogRows, PartitionKeeping, Audit, PermissionUse] })
export class GovernanceModule {}

/** What this context does in the API: it records finished requests. */
@Module({ imports: [GovernanceModule, AccessModule], controllers: [JobsController], providers: [RouteNotes, RowDelivery, SpilledRows, AccessLogWriter] })
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps the tables by month. */
@Module({ imports: [GovernanceModule], providers: [PartitionsSchedule] })
export class GovernanceWorkerModule {}
