export { Embedder } from './embeddings/application/embedder';
export { EmbeddingUpkeep } from './embeddings/application/embedding-upkeep';
export { VectorIndex } from './embeddings/application/vector-index';
export { type Embedded, type EmbeddingKind, type EmbeddingModel } from './embeddings/domain/embedding';
export { type Entry, type Near, type Nearness } from './embeddings/domain/nearness';
export { IndexRun } from './passages/application/index-run';
export { PassageIndex } from './passages/application/passage-index';
export { PassageReindexing } from './passages/application/reindexing';
export { SourcePassages, type SourcePassage } from './passages/application/source-passages';
export { PassageUpkeep } from './passages/application/passage-upkeep';
export { type IndexCounts } from './passages/infrastructure/passage-sources.repository';
export { PASSAGE_VECTORS } from './passages/application/passage-vectors';
export { SourceKinds, type SourceKind, type SourceText } from './passages/application/source-kinds';
export { CHUNK_OPTIONS, type Chunk, type ChunkOptions, type PageBeginning } from './passages/domain/chunking';
export { SOURCE_STATUSES, sourceStatus, type SourceStatus } from './passages/application/source-status';
export { type SourceKey } from './passages/domain/passage';
export { sentencesOf, type Span } from './passages/domain/sentences';
export { languageOf } from './passages/infrastructure/language';
export { ForeignMarkup } from './extraction/foreign-markup';
export { type ReadPage } from './extraction/html/read-page';
export { selectorCost } from './extraction/selector-cost';
export { alignSentences, type AlignedSentence, type Evidence } from './search/domain/alignment';
export { PassageSearch } from './search/application/passage-search';
export {
  type Citation,
  type PassageFilter,
  type PassageHit,
  type PassageQuery,
  type PassageResult,
  type SearchMode,
} from './search/application/search-query';
export { SearchScopes, type SearchScope } from './search/application/search-scopes';
export { FilePassages, FILE_SOURCE } from './texts/file-passages';
export { type FileTextRow, type FileTextStatus } from './texts/file-text.repository';
export { NearFiles } from './texts/near-files';
export { EXTRACTION_SCRIPT, TextEngine } from './texts/text-engine';
export { ScopeCounts, type ScopeCount } from './texts/scope-counts.rows';
export { TextConditions } from './texts/text-conditions';
export { FileTexts } from './texts/file-texts';
export {
  TextRepositories,
  type FurtherScopes,
  type ScopedFile,
  type TextFilter,
  type TextRepositoryRules,
} from './texts/text-repositories';
export { TextWatchers, type TextWatcher } from './texts/text-watchers';
export { RetrievalModule, RetrievalWorkerModule } from './retrieval.module';
