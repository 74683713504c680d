import { Module, type Provider, type Type } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { InspectionWorkerModule } from './inspection/inspection.module';
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
import { FilesUpkeepModule } from './upkeep/upkeep.module';
import { FilesUpkeepHttpModule } from './upkeep/upkeep.module';
import { FilesUpkeepWorkerModule } from './upkeep/upkeep.module';
import { BlobsWorkerModule } from './blobs/blobs.module';

const CORE: Provider[] = [];

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
  FilesUpkeepModule,
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
  FilesUpkeepHttpModule,
];
const WORK: Type[] = [
  BlobsWorkerModule,
  FilesCoreWorkerModule,
  BulkWorkerModule,
  IngestWorkerModule,
  DownloadsWorkerModule,
  FilesUpkeepWorkerModule,
];

/** Files and their bytes: what every host of this context needs, and the ports other contexts register with. */
@Module({ imports: ROOMS, providers: CORE, exports: [...CORE, ...ROOMS] })
export class FilesRestModule {}

/** Its routes. */
@Module({
  imports: [FilesRestModule, ...ROUTES],
  controllers: [],
})
export class FilesRestHttpModule {}

/** Its background work. */
@Module({
  imports: [FilesRestModule, InspectionWorkerModule, ...WORK, JobsModule.define([])],
  providers: [],
})
export class FilesRestWorkerModule {}
