export { Embedder } from './embeddings/application/embedder';
export { EmbeddingUpkeep } from './embeddings/application/embedding-upkeep';
export { VectorIndex } from './embeddings/application/vector-index';
export { type Embedded, type EmbeddingKind, type EmbeddingModel } from './embeddings/domain/embedding';
export { type Entry, type Near, type Nearness } from './embeddings/domain/nearness';
export { RetrievalModule, RetrievalWorkerModule } from './retrieval.module';
