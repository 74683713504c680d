import { Module, type Provider } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module';
import { BulkModule } from '../bulk/bulk.module';
import { FilesCoreModule } from '../core/core.module';
import { DownloadsModule } from '../downloads/downloads.module';
import { IngestWorkerModule } from '../ingest/ingest.module';
import { TrashModule } from '../trash/trash.module';
import { UploadsModule } from '../uploads/uploads.module';
import { VersionsModule } from '../versions/versions.module';
import { FileRetention } from './application/file-retention';
import { JobRetention } from './application/job-retention';
import { ReindexRun } from './application/reindex-run';
import { ReindexSteps } from './application/reindex-steps';
import { Reindexing } from './application/reindexing';
import { Sweep } from './application/sweep.service';
import { WorkspaceHoldings } from './application/workspace-holdings';
import { ReindexController } from './http/reindex.controller';
import { AllWorkspacesRows } from './infrastructure/all-workspaces.rows';
import { ReindexedFileRows } from './infrastructure/reindexed-files.rows';
import { RetainedVersions } from './infrastructure/retained-versions';
import { SweepSchedule } from './jobs/sweep.handler';

const UPKEEP: Provider[] = [
  AllWorkspacesRows,
  FileRetention,
  JobRetention,
  ReindexedFileRows,
  Reindexing,
  ReindexSteps,
  RetainedVersions,
  WorkspaceHoldings,
];

/** What is due without anybody asking for it, and derived data that is made again. */
@Module({
  imports: [BlobsModule, BulkModule, DownloadsModule, FilesCoreModule, TrashModule, VersionsModule],
  providers: UPKEEP,
  exports: UPKEEP,
})
export class FilesUpkeepModule {}

/** Its route. */
@Module({ imports: [FilesUpkeepModule], controllers: [ReindexController] })
export class FilesUpkeepHttpModule {}

const WORK: Provider[] = [ReindexRun, Sweep, SweepSchedule];

/** Its background work. */
@Module({
  imports: [
    BlobsModule,
    BulkModule,
    DownloadsModule,
    FilesCoreModule,
    FilesUpkeepModule,
    IngestWorkerModule,
    TrashModule,
    UploadsModule,
    VersionsModule,
  ],
  providers: WORK,
  exports: WORK,
})
export class FilesUpkeepWorkerModule {}
