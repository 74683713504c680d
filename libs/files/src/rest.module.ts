import { Module, type Provider, type Type } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { FileRetention } from './application/file-retention';
import { Sweep } from './application/sweep.service';
import { WorkspaceHoldings } from './application/workspace-holdings';
import { ReindexRun } from './application/reindex-run';
import { ReindexSteps } from './application/reindex-steps';
import { Reindexing } from './application/reindexing';
import { ReindexController } from './http/reindex.controller';
import { InspectionWorkerModule } from './inspection/inspection.module';
import { RetainedVersions } from './infrastructure/retained-versions';
import { SweepSchedule } from './jobs/sweep.handler';
import { BlobsModule } from './blobs/blobs.module';
import { BlobsHttpModule } from './blobs/blobs.module';
import { FilesCoreModule } from './core/core.module';
import { FilesCoreHttpModule } from './core/core.module';
import { FilesCoreWorkerModule } from './core/core.module';
import { VersionsModule } from './versions/versions.module';
import { VersionsHttpModule } from './versions/versions.module';
import { QuarantineModule } from './quarantine/quarantine.module';
import { QuarantineHttpModule } from './quarantine/quarantine.module';
import { UploadsModule } from './uploads/uploads.module';
import { UploadsHttpModule } from './uploads/uploads.module';
import { BulkModule } from './bulk/bulk.module';
import { BulkHttpModule } from './bulk/bulk.module';
import { BulkWorkerModule } from './bulk/bulk.module';
import { FileImportsModule } from './imports/imports.module';
import { FileImportsHttpModule } from './imports/imports.module';
import { IngestWorkerModule } from './ingest/ingest.module';
import { TrashModule } from './trash/trash.module';
import { TrashHttpModule } from './trash/trash.module';
import { DownloadsModule } from './downloads/downloads.module';
import { DownloadsHttpModule } from './downloads/downloads.module';
import { DownloadsWorkerModule } from './downloads/downloads.module';
import { FileMovesModule } from './moves/moves.module';
import { FileMovesHttpModule } from './moves/moves.module';
import { LikenessModule } from './likeness/likeness.module';
import { LikenessHttpModule } from './likeness/likeness.module';
import { BlobsWorkerModule } from './blobs/blobs.module';

const CORE: Provider[] = [Reindexing, ReindexSteps, FileRetention, RetainedVersions, WorkspaceHoldings];

const ROOMS: Type[] = [
  BlobsModule,
  FilesCoreModule,
  VersionsModule,
  QuarantineModule,
  UploadsModule,
  BulkModule,
  FileImportsModule,
  TrashModule,
  DownloadsModule,
  FileMovesModule,
  LikenessModule,
];
const ROUTES: Type[] = [
  BlobsHttpModule,
  FilesCoreHttpModule,
  VersionsHttpModule,
  QuarantineHttpModule,
  UploadsHttpModule,
  BulkHttpModule,
  FileImportsHttpModule,
  TrashHttpModule,
  DownloadsHttpModule,
  FileMovesHttpModule,
  LikenessHttpModule,
];
const WORK: Type[] = [BlobsWorkerModule, FilesCoreWorkerModule, BulkWorkerModule, IngestWorkerModule, DownloadsWorkerModule];

/** Files and their bytes: what every host of this context needs, and the ports other contexts register with. */
@Module({ imports: ROOMS, providers: CORE, exports: [...CORE, ...ROOMS] })
export class FilesRestModule {}

/** Its routes. */
@Module({
  imports: [FilesRestModule, ...ROUTES],
  controllers: [ReindexController],
})
export class FilesRestHttpModule {}

/** Its background work. */
@Module({
  imports: [FilesRestModule, InspectionWorkerModule, ...WORK, JobsModule.define([])],
  providers: [ReindexRun, Sweep, SweepSchedule],
})
export class FilesRestWorkerModule {}
