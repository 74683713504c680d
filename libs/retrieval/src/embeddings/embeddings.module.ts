import { Module, type Provider } from '@nestjs/common';
import { ModelsModule } from '@atrium/models';
import { Embedder } from './application/embedder';
import { EmbeddingUpkeep } from './application/embedding-upkeep';
import { VectorIndex } from './application/vector-index';
import { EmbeddingCacheRows } from './infrastructure/embedding-cache.rows';
import { HashEmbedding } from './infrastructure/hash-embedding';
import { RemoteEmbedding } from './infrastructure/remote-embedding';
import { VectorsRepository } from './infrastructure/vectors.repository';

const EMBEDDINGS: Provider[] = [
  Embedder,
  EmbeddingUpkeep,
  VectorIndex,
  EmbeddingCacheRows,
  HashEmbedding,
  RemoteEmbedding,
  VectorsRepository,
];

/** Texts as vectors, and vectors by nearness. */
@Module({ imports: [ModelsModule], providers: EMBEDDINGS, exports: EMBEDDINGS })
export class EmbeddingsModule {}
