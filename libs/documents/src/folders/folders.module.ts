import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { DocumentFoldersModule } from '@atrium/media';
import { RetrievalModule } from '@atrium/retrieval';
import { FolderFiles } from './folder-files.service';
import { FoldersController } from './folders.controller';
import { FoldersService } from './folders.service';
import { TextSearchFields } from './text-search-fields.service';

/** Folders of the document library: who may see them, what is in them, and those that a saved search fills. */
@Module({
  imports: [FilesModule, DocumentFoldersModule, RetrievalModule],
  providers: [FolderFiles, FoldersService, TextSearchFields],
  exports: [FolderFiles, FoldersService],
})
export class FoldersModule {}

/** Its routes. */
@Module({ imports: [FoldersModule, DocumentFoldersModule], controllers: [FoldersController] })
export class FoldersHttpModule {}
