import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { BlobsModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { ArchiveAccount } from './application/archive-account';
import { ArchiveContents } from './application/archive-contents';
import { Archives } from './application/archives';
import { DownloadContents } from './application/download-contents';
import { DownloadJobSource } from './application/download-job-source';
import { DownloadJobs } from './application/download-jobs.service';
import { DownloadPacking } from './application/download-packing';
import { DownloadRuns } from './application/download-runs';
import { Downloads } from './application/downloads';
import { FileEgress } from './application/file-egress';
import { DownloadJobsController } from './http/download-jobs.controller';
import { DownloadsController } from './http/downloads.controller';
import { DownloadableFileRows } from './infrastructure/downloadable-files.rows';
import { DownloadJobsRepository } from './infrastructure/download-jobs.repository';
import { ArchiveHandler } from './jobs/archive.handler';
import { zip } from './jobs/archive.jobs';

const DOWNLOADS: Provider[] = [
  ArchiveAccount,
  ArchiveContents,
  Archives,
  DownloadableFileRows,
  DownloadContents,
  DownloadJobs,
  DownloadJobSource,
  DownloadJobsRepository,
  DownloadRuns,
  Downloads,
  FileEgress,
];

/** Bytes on their way to clients: one file, or archives of many. */
@Module({ imports: [BlobsModule, FilesCoreModule], providers: DOWNLOADS, exports: DOWNLOADS })
export class DownloadsModule {}

/** Its routes. */
@Module({ imports: [DownloadsModule], controllers: [DownloadJobsController, DownloadsController] })
export class DownloadsHttpModule {}

/** Its background work. */
@Module({ imports: [DownloadsModule, JobsModule.define([zip])], providers: [ArchiveHandler, DownloadPacking] })
export class DownloadsWorkerModule {}
