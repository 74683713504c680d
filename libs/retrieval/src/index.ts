export { Embedder } from './application/embedder';
export { EmbeddingUpkeep } from './application/embedding-upkeep';
export { VectorIndex } from './application/vector-index';
export { type Embedded, type EmbeddingKind, type EmbeddingModel } from './domain/embedding';
export { type Entry, type Near, type Nearness } from './domain/nearness';
export { RetrievalModule, RetrievalWorkerModule } from './retrieval.module';
