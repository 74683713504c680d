import { Module, type OnModuleInit } from '@nestjs/common';
import { IdentityModule, WorkspacePurgers } from '@atrium/identity';
import { ModelsModule } from '@atrium/models';
import { Embedder } from './embeddings/application/embedder';
import { EmbeddingUpkeep } from './embeddings/application/embedding-upkeep';
import { VectorIndex } from './embeddings/application/vector-index';
import { EmbeddingCacheRows } from './embeddings/infrastructure/embedding-cache.rows';
import { HashEmbedding } from './embeddings/infrastructure/hash-embedding';
import { RemoteEmbedding } from './embeddings/infrastructure/remote-embedding';
import { VectorsRepository } from './embeddings/infrastructure/vectors.repository';
import { RetrievalSweep } from './embeddings/jobs/sweep.schedule';

/** Finding things by meaning: texts as vectors, and vectors by nearness. */
@Module({
  imports: [IdentityModule, ModelsModule],
  providers: [Embedder, EmbeddingUpkeep, VectorIndex, EmbeddingCacheRows, HashEmbedding, RemoteEmbedding, VectorsRepository],
  exports: [Embedder, EmbeddingUpkeep, VectorIndex],
})
export class RetrievalModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'retrieval', order: 60, tables: ['vector_entry', 'embedding_cache'] });
  }
}

/** What this context does in a worker. */
@Module({ imports: [RetrievalModule], providers: [RetrievalSweep] })
export class RetrievalWorkerModule {}
