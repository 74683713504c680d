import { PermissionUse } from '@atrium/identity';
import { Audit } from '@atrium/platform/access';
import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './application/audit-trail';
import { AccessLogWriter } from './application/access-log.writer';
import { PartitionKeeping } from './application/partition-keeping';
import { JobsController } from './http/jobs.controller';
import { AccessLogRows } from './infrastructure/access-log.rows';
import { PermissionUseRows } from './infrastructure/permission-use.rows';
import { Partitions } from './infrastructure/partitions';
import { PartitionsSchedule } from './jobs/partitions.schedule';

/** Measuring and limiting: for now, the record of who asked for what. */
@Global()
@Module({ providers: [AccessLogRows, Partitions, PartitionKeeping, { provide: Audit, useClass: AuditTrail }, { provide: PermissionUse, useClass: PermissionUseRows }], exports: [AccessLogRows, PartitionKeeping, Audit, PermissionUse] })
export class GovernanceModule {}

/** What this context does in the API: it records finished requests. */
@Module({ imports: [GovernanceModule], controllers: [JobsController], providers: [AccessLogWriter] })
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps the tables by month. */
@Module({ imports: [GovernanceModule], providers: [PartitionsSchedule] })
export class GovernanceWorkerModule {}
