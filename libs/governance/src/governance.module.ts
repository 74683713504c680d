import { PermissionUse } from '@atrium/identity';
import { AccessModule, Audit } from '@atrium/platform/access';
import { Global, Module } from '@nestjs/common';
import { AccessLogWriter } from './access-log/application/access-log.writer';
import { AuditTrail } from './audit/application/audit-trail';
import { PartitionKeeping } from './retention/application/partition-keeping';
import { PersonDataSources } from './shared/application/person-data';
import { RouteNotes } from './access-log/application/route-notes';
import { RowDelivery } from './access-log/application/row-delivery';
import { WorkspaceRecords } from './retention/application/workspace-records';
import { AuditHttpModule, AuditWorkerModule } from './audit/audit.module';
import { CreditsHttpModule, CreditsModule, CreditsWorkerModule } from './credits/credits.module';
import { JobsController } from './shared/http/jobs.controller';
import { AccessLogRows } from './access-log/infrastructure/access-log.rows';
import { Partitions } from './retention/infrastructure/partitions';
import { PermissionUseRows } from './access-log/infrastructure/permission-use.rows';
import { SpilledRows } from './access-log/infrastructure/spilled-rows';
import { IdempotencySchedule } from './retention/jobs/idempotency.schedule';
import { PartitionsSchedule } from './retention/jobs/partitions.schedule';
import { PrivacyHttpModule, PrivacyWorkerModule } from './privacy/privacy.module';
import { RateLimitsModule } from './rate-limits/rate-limits.module';
import { RetentionHttpModule, RetentionModule, RetentionWorkerModule } from './retention/retention.module';
import { StoredBytesHttpModule, StoredBytesModule, StoredBytesWorkerModule } from './storage/storage.module';
import { UsageReportingHttpModule, UsageReportingModule, UsageReportingWorkerModule } from './usage/usage.module';

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
