import { Module } from '@nestjs/common';
import { BlobsHttpModule, BlobsModule, BlobsWorkerModule } from './blobs/blobs.module';
import { BulkHttpModule, BulkModule, BulkWorkerModule } from './bulk/bulk.module';
import { FilesCoreHttpModule, FilesCoreModule, FilesCoreWorkerModule } from './core/core.module';
import { DownloadsHttpModule, DownloadsModule, DownloadsWorkerModule } from './downloads/downloads.module';
import { FileImportsHttpModule, FileImportsModule } from './imports/imports.module';
import { IngestWorkerModule } from './ingest/ingest.module';
import { LikenessHttpModule, LikenessModule } from './likeness/likeness.module';
import { FileMovesHttpModule, FileMovesModule } from './moves/moves.module';
import { PicturesWorkerModule } from './pictures/pictures.module';
import { QuarantineHttpModule, QuarantineModule } from './quarantine/quarantine.module';
import { SearchHttpModule, SearchModule } from './search/search.module';
import { SharingModule, SharingWorkerModule } from './sharing/sharing.module';
import { TrashHttpModule, TrashModule } from './trash/trash.module';
import { FilesUpkeepHttpModule, FilesUpkeepModule, FilesUpkeepWorkerModule } from './upkeep/upkeep.module';
import { UploadsHttpModule, UploadsModule } from './uploads/uploads.module';
import { VersionsHttpModule, VersionsModule } from './versions/versions.module';

const AREAS = [
  BlobsModule,
  BulkModule,
  DownloadsModule,
  FileImportsModule,
  FileMovesModule,
  FilesCoreModule,
  FilesUpkeepModule,
  LikenessModule,
  QuarantineModule,
  SearchModule,
  SharingModule,
  TrashModule,
  UploadsModule,
  VersionsModule,
];
const ROUTES = [
  BlobsHttpModule,
  BulkHttpModule,
  DownloadsHttpModule,
  FileImportsHttpModule,
  FileMovesHttpModule,
  FilesCoreHttpModule,
  FilesUpkeepHttpModule,
  LikenessHttpModule,
  QuarantineHttpModule,
  SearchHttpModule,
  // Behind the core and versions, as their operations are listed behind those on the same paths.
  VersionsHttpModule,
  TrashHttpModule,
  UploadsHttpModule,
];
const WORK = [
  BlobsWorkerModule,
  BulkWorkerModule,
  DownloadsWorkerModule,
  FilesCoreWorkerModule,
  FilesUpkeepWorkerModule,
  IngestWorkerModule,
  PicturesWorkerModule,
  SharingWorkerModule,
];

/** Files and their bytes, how they are found, and what of them is shown outside. */
@Module({ imports: AREAS, exports: AREAS })
export class FilesModule {}

/** The routes of this context. */
@Module({ imports: ROUTES })
export class FilesHttpModule {}

/** The background work of this context. */
@Module({ imports: [FilesModule, ...WORK] })
export class FilesWorkerModule {}
