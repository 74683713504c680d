import { Module, type Provider } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { Bytes } from './application/bytes';
import { NewDocuments } from './application/new-documents';
import { NextVersions } from './application/next-versions';
import { QuarantineNotices } from './application/quarantine-notices';
import { StorageAccount } from './application/storage-account';
import { VersionNotifier } from './application/version-notifier';
import { VersionWriter } from './application/versions-writer';
import { VersionsService } from './application/versions.service';
import { FileVersionsController } from './http/file-versions.controller';
import { NewDocumentsController } from './http/new-documents.controller';
import { StoredByteRows } from './infrastructure/stored-bytes.rows';
import { VersionRows } from './infrastructure/version-rows';
import { VersionsRepository } from './infrastructure/versions.repository';

const VERSIONS: Provider[] = [
  Bytes,
  NewDocuments,
  NextVersions,
  QuarantineNotices,
  StorageAccount,
  StoredByteRows,
  VersionNotifier,
  VersionRows,
  VersionsRepository,
  VersionsService,
  VersionWriter,
];

/** The versions of files: how bytes become one, what they take of storage, and which of them are pinned. */
@Module({ imports: [BlobsModule, FilesCoreModule], providers: VERSIONS, exports: VERSIONS })
export class VersionsModule {}

/** Its routes. */
@Module({ imports: [VersionsModule], controllers: [FileVersionsController, NewDocumentsController] })
export class VersionsHttpModule {}
