import { Global, Module } from '@nestjs/common';
import { HoldTargets } from './application/hold-targets';
import { LegalHolds } from './application/legal-holds';
import { LegalHoldsService } from './application/legal-holds.service';
import { RetainedRecords } from './application/retained-records';
import { RetentionPolicies } from './application/retention-policies';
import { RetentionRuns } from './application/retention-runs';
import { RetentionTargets } from './application/retention-targets';
import { LegalHoldsController } from './http/legal-holds.controller';
import { RetentionController } from './http/retention.controller';
import { LegalHoldsRepository } from './infrastructure/legal-holds.repository';
import { RetainedRows } from './infrastructure/retained.rows';
import { RetentionRows } from './infrastructure/retention.rows';
import { RetentionSchedule } from './jobs/retention.schedule';

const CORE = [
  RetentionRows,
  RetainedRows,
  RetentionTargets,
  HoldTargets,
  LegalHolds,
  LegalHoldsRepository,
  LegalHoldsService,
  RetentionPolicies,
  RetentionRuns,
  RetainedRecords,
];

/** How long what is kept, and what is held. */
@Global()
@Module({ providers: CORE, exports: CORE })
export class RetentionModule {}

@Module({ controllers: [RetentionController, LegalHoldsController] })
export class RetentionHttpModule {}

@Module({ providers: [RetentionSchedule] })
export class RetentionWorkerModule {}
