import { Module, type Provider } from '@nestjs/common';
import { HoldTargets } from './application/hold-targets';
import { IdempotencyKeys } from './application/idempotency-keys';
import { LegalHolds } from './application/legal-holds';
import { LegalHoldsService } from './application/legal-holds.service';
import { PartitionMaintenance } from './application/partition-maintenance';
import { RetainedRecords } from './application/retained-records';
import { RetentionJobSource } from './application/retention-job-source';
import { RetentionPolicies } from './application/retention-policies';
import { RetentionRuns } from './application/retention-runs';
import { RetentionTargets } from './application/retention-targets';
import { WorkspaceRecords } from './application/workspace-records';
import { LegalHoldsController } from './http/legal-holds.controller';
import { PartitionsController } from './http/partitions.controller';
import { RetentionController } from './http/retention.controller';
import { IdempotencyKeyRows } from './infrastructure/idempotency-keys.rows';
import { LegalHoldsRepository } from './infrastructure/legal-holds.repository';
import { Partitions } from './infrastructure/partitions';
import { RetainedRows } from './infrastructure/retained.rows';
import { RetentionRows } from './infrastructure/retention.rows';
import { IdempotencySchedule } from './jobs/idempotency.schedule';
import { PartitionsSchedule } from './jobs/partitions.schedule';
import { RetentionSchedule } from './jobs/retention.schedule';

const RETENTION: Provider[] = [
  PartitionMaintenance,
  Partitions,
  RetentionRows,
  RetainedRows,
  RetentionTargets,
  HoldTargets,
  IdempotencyKeyRows,
  IdempotencyKeys,
  LegalHolds,
  LegalHoldsRepository,
  LegalHoldsService,
  RetentionJobSource,
  RetentionPolicies,
  RetentionRuns,
  RetainedRecords,
  WorkspaceRecords,
];

/** How long records are kept, what a hold keeps beyond that, and the months of the tables that are partitioned. */
@Module({ providers: RETENTION, exports: RETENTION })
export class RetentionModule {}

/** Its routes. */
@Module({ imports: [RetentionModule], controllers: [RetentionController, LegalHoldsController, PartitionsController] })
export class RetentionHttpModule {}

/** Its background work. */
@Module({ imports: [RetentionModule], providers: [RetentionSchedule, PartitionsSchedule, IdempotencySchedule] })
export class RetentionWorkerModule {}
