import { PermissionUse } from '@atrium/identity';
import { AccessModule, Audit } from '@atrium/platform/access';
import { Global, Module } from '@nestjs/common';
import { AuditHttpModule, AuditWorkerModule } from './audit.module';
import { AuditTrail } from './application/audit-trail';
import { AccessLogWriter } from './application/access-log.writer';
import { RouteNotes } from './application/route-notes';
import { RowDelivery } from './application/row-delivery';
import { PersonDataSources } from './application/person-data';
import { PartitionKeeping } from './application/partition-keeping';
import { WorkspaceRecords } from './application/workspace-records';
import { JobsController } from './http/jobs.controller';
import { AccessLogRows } from './infrastructure/access-log.rows';
import { PermissionUseRows } from './infrastructure/permission-use.rows';
import { SpilledRows } from './infrastructure/spilled-rows';
import { Partitions } from './infrastructure/partitions';
import { IdempotencySchedule } from './jobs/idempotency.schedule';
import { PartitionsSchedule } from './jobs/partitions.schedule';
import { CREDIT_CONTROLLERS, CREDITS } from './credits.parts';
import { CreditsSchedule } from './jobs/credits.schedule';
import { StorageSchedules } from './jobs/storage.schedules';
import { UsageRollupSchedule } from './jobs/usage-rollup.schedule';
import { PrivacyHttpModule, PrivacyWorkerModule } from './privacy.module';
import { RateLimitsModule } from './rate-limits.module';
import { STORAGE, STORAGE_CONTROLLERS } from './storage.parts';
import { RETAINING, RETENTION_CONTROLLERS } from './retention.parts';
import { RetentionSchedule } from './jobs/retention.schedule';
import { USAGE_REPORT_CONTROLLERS, USAGE_REPORTS } from './usage-reports.parts';

/** Measuring and limiting: for now, the record of who asked for what. */
@Global()
@Module({ providers: [...USAGE_REPORTS, ...CREDITS, ...STORAGE, ...RETAINING, PersonDataSources, WorkspaceRecords, AccessLogRows, Partitions, PartitionKeeping, { provide: Audit, useClass: AuditTrail }, { provide: PermissionUse, useClass: PermissionUseRows }], exports: [...USAGE_REPORTS, ...CREDITS, ...STORAGE, ...RETAINING, PersonDataSources, AccessLogRows, PartitionKeeping, Audit, PermissionUse] })
export class GovernanceModule {}

/** What this context does in the API: it records finished requests. */
@Module({ imports: [GovernanceModule, AccessModule, AuditHttpModule, PrivacyHttpModule, RateLimitsModule], controllers: [...USAGE_REPORT_CONTROLLERS, ...CREDIT_CONTROLLERS, ...STORAGE_CONTROLLERS, ...RETENTION_CONTROLLERS, JobsController], providers: [RouteNotes, RowDelivery, SpilledRows, AccessLogWriter] })
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps the tables by month. */
@Module({ imports: [GovernanceModule, AuditWorkerModule, PrivacyWorkerModule], providers: [UsageRollupSchedule, CreditsSchedule, StorageSchedules, RetentionSchedule, PartitionsSchedule, IdempotencySchedule] })
export class GovernanceWorkerModule {}
