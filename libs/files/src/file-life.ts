import type { Provider, Type } from '@nestjs/common';
import { FileJobKinds } from './application/file-job-kinds';
import { FileJobRunner } from './application/file-job-runner';
import { FileJobs } from './application/file-jobs.service';
import { FileJobsController } from './http/file-jobs.controller';
import { FileJobsRepository } from './infrastructure/file-jobs.repository';
import { BulkHandler } from './jobs/bulk.handler';

/** What files go through besides being uploaded and read, in every host: work on many, moves, copies, imports, quarantine. */
export const FILE_LIFE_CORE: Provider[] = [FileJobKinds, FileJobs, FileJobsRepository];

/** Its routes. */
export const FILE_LIFE_CONTROLLERS: Type[] = [FileJobsController];

/** Its background work. */
export const FILE_LIFE_WORKER: Provider[] = [BulkHandler, FileJobRunner];
