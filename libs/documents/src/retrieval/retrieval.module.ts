import { Module } from '@nestjs/common';
import { RetrievalModule } from '@atrium/retrieval';
import { DocumentScope } from './document-scope';
import { RetrievalController } from './retrieval.controller';
import { RetrievalService } from './retrieval.service';

/** Documents in the search of passages, and that search for clients. */
@Module({
  imports: [RetrievalModule],
  providers: [DocumentScope, RetrievalService],
  exports: [RetrievalService],
})
export class DocumentRetrievalModule {}

/** Its routes. */
@Module({ imports: [DocumentRetrievalModule], controllers: [RetrievalController] })
export class DocumentRetrievalHttpModule {}
