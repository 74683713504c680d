import { Module, type Provider } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module';
import { FilesCoreModule } from '../core/core.module';
import { UploadsModule } from '../uploads/uploads.module';
import { VersionsModule } from '../versions/versions.module';
import { FileCopies } from './file-copies';
import { MovedFileRows } from './moved-files.rows';
import { FileMoves } from './file-moves';
import { FileMovesController } from './file-moves.controller';

const MOVES: Provider[] = [FileCopies, FileMoves, MovedFileRows];

/** Files that change their repository, or are copied into the media library. */
@Module({ imports: [BlobsModule, FilesCoreModule, UploadsModule, VersionsModule], providers: MOVES, exports: MOVES })
export class FileMovesModule {}

/** Its routes. */
@Module({ imports: [FileMovesModule], controllers: [FileMovesController] })
export class FileMovesHttpModule {}
