import { Module } from '@nestjs/common';
import { DocumentFoldersModule } from '@atrium/media';
import { RetrievalModule } from '@atrium/retrieval';
import { DocumentTexts } from './document-texts.service';
import { RetrievalController } from './retrieval.controller';
import { RetrievalService } from './retrieval.service';

/** Documents in the search of passages, and that search for clients. */
@Module({
  imports: [DocumentFoldersModule, RetrievalModule],
  providers: [DocumentTexts, RetrievalService],
  exports: [RetrievalService],
})
export class DocumentRetrievalModule {}

/** Its routes. */
@Module({ imports: [DocumentRetrievalModule], controllers: [RetrievalController] })
export class DocumentRetrievalHttpModule {}
