import { Module, type Provider } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { BasesModule } from '../bases/bases.module';
import { JobFaultRows } from './infrastructure/job-faults.rows';
import { JobObjects } from './infrastructure/job-objects';
import { JobRetention } from './application/job-retention';
import { JobRuns } from './application/job-runs';
import { KnowledgeJobSource } from './application/job-source';
import { KnowledgeJobsController } from './http/jobs.controller';
import { discardObjects } from './jobs/discard.jobs';
import { JobObjectsHandler } from './jobs/jobs.handler';
import { JobsRepository } from './infrastructure/jobs.repository';
import { JobsService } from './application/jobs.service';
import { JobsModule } from '@atrium/platform/messaging';

const JOBS: Provider[] = [JobFaultRows, JobObjects, JobRetention, JobRuns, JobsRepository, JobsService, KnowledgeJobSource];

/** Work on bases that takes its time: how far it is, its report, and how long it is kept. */
@Module({ imports: [BasesModule, GovernanceModule, IdentityModule], providers: JOBS, exports: JOBS })
export class KnowledgeJobsModule {}

@Module({ imports: [KnowledgeJobsModule], controllers: [KnowledgeJobsController] })
export class KnowledgeJobsHttpModule {}

@Module({ imports: [KnowledgeJobsModule, JobsModule.define([discardObjects])], providers: [JobObjectsHandler] })
export class KnowledgeJobsWorkerModule {}
