import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { FileJobKinds } from './application/file-job-kinds';
import { FileJobRuns } from './application/file-job-runs';
import { FileJobSource } from './application/file-job-source';
import { FileJobs } from './application/file-jobs.service';
import { FileJobsController } from './http/file-jobs.controller';
import { FileJobsRepository } from './infrastructure/file-jobs.repository';
import { BulkHandler } from './jobs/bulk.handler';
import { bulk } from './jobs/bulk.jobs';

const BULK: Provider[] = [FileJobKinds, FileJobRuns, FileJobs, FileJobSource, FileJobsRepository];

/** Work on many files, in batches. */
@Module({ providers: BULK, exports: BULK })
export class BulkModule {}

/** Its routes. */
@Module({ imports: [BulkModule], controllers: [FileJobsController] })
export class BulkHttpModule {}

/** Its background work. */
@Module({ imports: [BulkModule, JobsModule.define([bulk])], providers: [BulkHandler] })
export class BulkWorkerModule {}
