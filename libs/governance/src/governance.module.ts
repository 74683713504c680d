import { PermissionUse } from '@atrium/identity';
import { AccessModule, Audit } from '@atrium/platform/access';
import { Global, Module } from '@nestjs/common';
import { AccessLogWriter } from './application/access-log.writer';
import { AuditTrail } from './application/audit-trail';
import { PartitionKeeping } from './application/partition-keeping';
import { PersonDataSources } from './application/person-data';
import { RouteNotes } from './application/route-notes';
import { RowDelivery } from './application/row-delivery';
import { WorkspaceRecords } from './application/workspace-records';
import { AuditHttpModule, AuditWorkerModule } from './audit.module';
import { CreditsHttpModule, CreditsModule, CreditsWorkerModule } from './credits.module';
import { JobsController } from './http/jobs.controller';
import { AccessLogRows } from './infrastructure/access-log.rows';
import { Partitions } from './infrastructure/partitions';
import { PermissionUseRows } from './infrastructure/permission-use.rows';
import { SpilledRows } from './infrastructure/spilled-rows';
import { IdempotencySchedule } from './jobs/idempotency.schedule';
import { PartitionsSchedule } from './jobs/partitions.schedule';
import { PrivacyHttpModule, PrivacyWorkerModule } from './privacy.module';
import { RateLimitsModule } from './rate-limits.module';
import { RetentionHttpModule, RetentionModule, RetentionWorkerModule } from './retention.module';
import { StoredBytesHttpModule, StoredBytesModule, StoredBytesWorkerModule } from './stored-bytes.module';
import { UsageReportingHttpModule, UsageReportingModule, UsageReportingWorkerModule } from './usage-reporting.module';

const AREAS = [CreditsModule, UsageReportingModule, StoredBytesModule, RetentionModule];

/** Measuring and limiting: usage and what it costs, storage, records and how long they are kept. */
@Global()
@Module({
  imports: AREAS,
  providers: [
    PersonDataSources,
    WorkspaceRecords,
    AccessLogRows,
    Partitions,
    PartitionKeeping,
    { provide: Audit, useClass: AuditTrail },
    { provide: PermissionUse, useClass: PermissionUseRows },
  ],
  exports: [...AREAS, PersonDataSources, AccessLogRows, PartitionKeeping, Audit, PermissionUse],
})
export class GovernanceModule {}

/** What this context does in the API: its routes, the limits of all routes, and the record of requests. */
@Module({
  imports: [
    GovernanceModule,
    AccessModule,
    AuditHttpModule,
    CreditsHttpModule,
    PrivacyHttpModule,
    RateLimitsModule,
    RetentionHttpModule,
    StoredBytesHttpModule,
    UsageReportingHttpModule,
  ],
  controllers: [JobsController],
  providers: [RouteNotes, RowDelivery, SpilledRows, AccessLogWriter],
})
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps tables by month, moves rollups along, and does what is due. */
@Module({
  imports: [
    GovernanceModule,
    AuditWorkerModule,
    CreditsWorkerModule,
    PrivacyWorkerModule,
    RetentionWorkerModule,
    StoredBytesWorkerModule,
    UsageReportingWorkerModule,
  ],
  providers: [PartitionsSchedule, IdempotencySchedule],
})
export class GovernanceWorkerModule {}
