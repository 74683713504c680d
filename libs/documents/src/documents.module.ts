import { Module } from '@nestjs/common';
import { FoldersHttpModule, FoldersModule } from './folders/folders.module';
import { LibraryHttpModule, LibraryModule } from './library/library.module';
import { RelationsHttpModule, RelationsModule } from './relations/relations.module';
import { DocumentRetrievalHttpModule, DocumentRetrievalModule } from './retrieval/retrieval.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [DocumentRetrievalModule, FoldersModule, LibraryModule, RelationsModule, SharedModule];

/** The document library: how documents are filed, related and found. */
@Module({ imports: AREAS, exports: AREAS })
export class DocumentsModule {}

/** Its routes. */
@Module({ imports: [DocumentsModule, FoldersHttpModule, LibraryHttpModule, RelationsHttpModule, DocumentRetrievalHttpModule] })
export class DocumentsHttpModule {}

/** Its background work. */
@Module({ imports: [DocumentsModule] })
export class DocumentsWorkerModule {}
