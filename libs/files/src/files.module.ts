import { Module, type Provider } from '@nestjs/common';
import { BlobStore } from './application/blobs.service';
import { FileAccess } from './application/file-access';
import { HistoryWriter } from './application/file-history';
import { FileLifecycle } from './application/file-lifecycle';
import { FileOwners } from './application/file-owners';
import { FileSummaries } from './application/file-summaries';
import { UploadExtensions } from './application/uploads-extensions';
import { VersionWriter } from './application/versions-writer';
import { BlobsRepository } from './infrastructure/blobs.repository';
import { FilesRepository } from './infrastructure/files.repository';
import { VersionsRepository } from './infrastructure/versions.repository';

const CORE: Provider[] = [
  BlobStore,
  BlobsRepository,
  FileAccess,
  FileLifecycle,
  FileOwners,
  FileSummaries,
  FilesRepository,
  HistoryWriter,
  UploadExtensions,
  VersionWriter,
  VersionsRepository,
];

/** Files and their bytes: what every host of this context needs, and the ports other contexts register with. */
@Module({ providers: CORE, exports: [FileAccess, FileLifecycle, FileOwners, FileSummaries, UploadExtensions] })
export class FilesModule {}

/** The routes of this context. */
@Module({
  imports: [FilesModule],
  controllers: [
  ],
})
export class FilesHttpModule {}

/** The background work of this context. */
@Module({
  imports: [FilesModule],
  providers: [
  ],
})
export class FilesWorkerModule {}
