import { Module, type OnModuleInit } from '@nestjs/common';
import { IdentityModule, WorkspacePurgers } from '@atrium/identity';
import { EmbeddingsModule } from './embeddings/embeddings.module';
import { ExtractionModule } from './extraction/extraction.module';
import { PassagesModule, PassagesWorkerModule } from './passages/passages.module';
import { SearchModule } from './search/search.module';
import { TextsModule, TextsWorkerModule } from './texts/texts.module';
import { UpkeepWorkerModule } from './upkeep/upkeep.module';

const AREAS = [EmbeddingsModule, ExtractionModule, PassagesModule, SearchModule, TextsModule];

/** Finding things by meaning and by words: embeddings, the texts of files, passages and the search over them. */
@Module({ imports: [IdentityModule, ...AREAS], exports: AREAS })
export class RetrievalModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'retrieval',
      order: 60,
      tables: ['passage', 'passage_scope', 'passage_source', 'file_text', 'vector_entry', 'embedding_cache'],
    });
  }
}

/** What this context does in a worker. */
@Module({ imports: [RetrievalModule, PassagesWorkerModule, TextsWorkerModule, UpkeepWorkerModule] })
export class RetrievalWorkerModule {}
