import { Module } from '@nestjs/common';
import { FoldersHttpModule, FoldersModule } from './folders/folders.module';
import { DocumentRetrievalHttpModule, DocumentRetrievalModule } from './retrieval/retrieval.module';

const AREAS = [FoldersModule, DocumentRetrievalModule];

/** The document library: how documents are filed, related and found. */
@Module({ imports: AREAS, exports: AREAS })
export class DocumentsModule {}

/** Its routes. */
@Module({ imports: [FoldersHttpModule, DocumentRetrievalHttpModule] })
export class DocumentsHttpModule {}

/** Its background work. */
@Module({ imports: [DocumentsModule] })
export class DocumentsWorkerModule {}
