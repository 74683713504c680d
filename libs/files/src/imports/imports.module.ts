import { Module, type Provider } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module';
import { BulkModule } from '../bulk/bulk.module';
import { FilesCoreModule } from '../core/core.module';
import { UploadsModule } from '../uploads/uploads.module';
import { VersionsModule } from '../versions/versions.module';
import { FileImports } from './file-imports';
import { ImportsController } from './imports.controller';
import { UrlImports } from './url-imports';

const IMPORTS: Provider[] = [FileImports, UrlImports];

/** Bytes that the service fetches from web addresses and providers. */
@Module({ imports: [BlobsModule, BulkModule, FilesCoreModule, UploadsModule, VersionsModule], providers: IMPORTS, exports: IMPORTS })
export class FileImportsModule {}

/** Its route. */
@Module({ imports: [FileImportsModule], controllers: [ImportsController] })
export class FileImportsHttpModule {}
