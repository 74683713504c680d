import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { RetrievalModule } from '@atrium/retrieval';
import { FoldersModule } from '../folders/folders.module';
import { RelationsModule } from '../relations/relations.module';
import { DocumentAccess } from './document-access';
import { DocumentHooks } from './document-hooks';
import { DocumentLifecycle } from './document-lifecycle';
import { DocumentQuery } from './document-query';
import { DocumentRows } from './document-rows';
import { DocumentTexts } from './document-texts';
import { DocumentsController } from './documents.controller';
import { DocumentsRepository } from './documents.repository';
import { DocumentsService } from './documents.service';
import { PassageFilters } from './passage-filters';

const LIBRARY: Provider[] = [
  DocumentAccess,
  DocumentHooks,
  DocumentLifecycle,
  DocumentQuery,
  DocumentRows,
  DocumentsRepository,
  DocumentsService,
  DocumentTexts,
  PassageFilters,
];

/** The documents themselves: who may see them, what became of them, their lists and their texts. */
@Module({
  imports: [FilesModule, MediaModule, RetrievalModule, FoldersModule, RelationsModule],
  providers: LIBRARY,
  exports: LIBRARY,
})
export class LibraryModule {}

/** Its routes. */
@Module({ imports: [LibraryModule, MediaModule], controllers: [DocumentsController] })
export class LibraryHttpModule {}
