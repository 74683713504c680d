import { Module, type Provider } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { VersionsModule } from '../versions/versions.module';
import { UploadBytes } from './application/upload-bytes';
import { UploadPlans } from './application/upload-plans';
import { UploadedFiles } from './application/uploaded-files';
import { UploadExtensions } from './application/uploads-extensions';
import { UploadFinalizer } from './application/uploads-finalize.service';
import { UploadStorage } from './application/uploads-storage';
import { UploadsService } from './application/uploads.service';
import { UploadsController } from './http/uploads.controller';
import { VersionUploadsController } from './http/version-uploads.controller';
import { UploadsRepository } from './infrastructure/uploads.repository';

const UPLOADS: Provider[] = [
  UploadBytes,
  UploadedFiles,
  UploadExtensions,
  UploadFinalizer,
  UploadPlans,
  UploadsRepository,
  UploadsService,
  UploadStorage,
];

/** Bytes that clients send: announced, received and turned into files and versions. */
@Module({ imports: [BlobsModule, FilesCoreModule, VersionsModule], providers: UPLOADS, exports: UPLOADS })
export class UploadsModule {}

/** Its routes. */
@Module({ imports: [UploadsModule], controllers: [UploadsController, VersionUploadsController] })
export class UploadsHttpModule {}
