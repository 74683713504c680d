import { Module } from '@nestjs/common';
import { DocumentFoldersModule } from '@atrium/media';
import { FolderFiles } from './folder-files.service';
import { FoldersController } from './folders.controller';
import { FoldersService } from './folders.service';

/** Folders of the document library: who may see them, what lies in them, and those that a saved search fills. */
@Module({ imports: [DocumentFoldersModule], providers: [FolderFiles, FoldersService], exports: [FolderFiles, FoldersService] })
export class FoldersModule {}

/** Its routes. */
@Module({ imports: [FoldersModule, DocumentFoldersModule], controllers: [FoldersController] })
export class FoldersHttpModule {}
