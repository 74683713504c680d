export { HistoryWriter, type HistoryAction, type HistoryEntry } from './core/application/file-history';
export { Archives, type Packing } from './downloads/application/archives';
export { DownloadJobs, type DownloadJobRow, type StoredArchive } from './downloads/application/download-jobs.service';
export { GuestArchives, type GuestArchive } from './sharing/application/guest-archives';
export { guestOf, type Guest, type GuestSource } from './core/application/guests';
export {
  SharedFiles,
  type FileSelection,
  type HandedOut,
  type SelectionPosition,
  type SharedPage,
} from './sharing/application/shared-files';
export { type SharedFile } from './sharing/infrastructure/shared-files.rows';
export { UploadFinalizer, type Finalized } from './uploads/application/uploads-finalize.service';
export { UploadsService, type UploadAnswer } from './uploads/application/uploads.service';
export { type SeenBytes } from './blobs/application/object-edges';
export { UploadBytes, type IncomingBody } from './uploads/application/upload-bytes';
export { Watermarks } from './sharing/application/watermarks';
export { type Upload } from './uploads/domain/upload';
export { closestRendition, RENDITIONS, type Rendition, type RenditionName, type Renditions } from './blobs/domain/renditions';
export { digestOf, type Watermark } from './sharing/application/watermarks';
export { extensionOf, kindOf } from './inspection/infrastructure';
export { type ArchivedFile, type ArchiveItem } from './downloads/application/archive-contents';
export { deliverBytes, sendBytes, type SentBytes } from './downloads/http/send-bytes';
export { MOST_PARTS, UploadPartLink, UploadReceipt } from './uploads/http/uploads.dto';
export { FilesAcross } from './core/application/files-across';
export { FileEdits } from './core/application/file-edits';
export { EDIT, VIEW } from './core/application/route-permissions';
export { ByteCopies, type ByteCopySource } from './blobs/application/byte-copies';
export { Bytes, type FileBytes } from './versions/application/bytes';
export { FileImports, type ImportedBytes } from './imports/file-imports';
export { defineFileJob, type FileJobDefinition } from './bulk/application/file-job-definition';
export { FileJobKinds, type FileJobKind, type FileJobStep } from './bulk/application/file-job-kinds';
export { FileJobs, type FileJobOrder, type FileJobRow } from './bulk/application/file-jobs.service';
export { FileFactsReader, type FileFacts } from './likeness/file-facts.rows';
export { FileMerging, type FilesToMerge, type MovedMetadata, type MovedSummary } from './likeness/file-merging';
export { type MovedFavorite } from './likeness/merged-favorites.rows';
export { FileSimilarity, type Similarity, type SimilarityQuery } from './likeness/file-similarity';
export { likenessOf } from './inspection/domain/picture-views';
export { MeaningSimilarity, type LikeFile, type SimilarityBounds, type MeaningSource } from './likeness/similarity-sources';
export { FileLifecycle, type FileLifecycleHook } from './core/application/file-lifecycle';
export { type FilePref, type FileRow } from './core/domain/file-row';
export { LibraryFiles, type LibraryList } from './core/application/library-files';
export { type LibraryFileRow } from './core/infrastructure/shown-files.rows';
export { KnownLosses } from './core/infrastructure/known-losses';
export { KnownPages } from './core/infrastructure/known-pages';
export { LibraryTallies } from './core/application/library-tallies';
export { FileOwners, type FileOwner, type FileRefusal } from './core/application/file-owners';
export { FoundFiles, type FoundFile } from './core/application/found-files';
export { ReadableFiles } from './core/application/readable-files';
export { type NamedFile } from './core/infrastructure/readable-files.rows';
export { ReleasableFiles } from './core/application/releasable-files';
export { type ReleasableFile } from './core/infrastructure/files.repository';
export { NamedInHistory, type ReadableRows } from './core/application/named-in-history';
export { FileReferences, type FileReference, type FileReferenceSource, type KnownReferences } from './core/application/file-references';
export { FileStatuses, type FileInStatus, type StatusReasons, type StatusRules } from './core/application/file-statuses';
export { DescribedFiles, type DescribedFile } from './core/infrastructure/described-files';
export { FileTimeline } from './core/application/file-timeline';
export { HeldFiles } from './core/infrastructure/held-files.rows';
export { FileSummaries, type FilePreview, type FileSummary } from './core/infrastructure/file-summaries';
export { FilesHttpModule, FilesModule, FilesWorkerModule } from './files.module';
export { INSPECTION_SCRIPT } from './inspection/inspection.module';
export { UprightPictures, type JpegBounds, type JpegFile, type PictureBytes } from './pictures/upright-pictures';
export { PicturesWorkerModule } from './pictures/pictures.module';
export { OwnedFiles } from './trash/application/owned-files';
export { REINDEX_STEPS, ReindexSteps, type ReindexStep, type ReindexWorker } from './upkeep/application/reindex-steps';
export { StorageVerification } from './blobs/application/storage-verification';
export { Sweep } from './upkeep/application/sweep.service';
export { Trash } from './trash/application/trash';
export { TrashRetention } from './trash/application/trash-retention';
export {
  UploadExtensions,
  type MediaTags,
  type UploadExtension,
  type UploadExtras,
  type UploadWatcher,
} from './uploads/application/uploads-extensions';
export { type File } from './core/domain/file';
export { MalwareScanner, type ScanVerdict } from './blobs/domain/malware-scanner';
export { type FileJobBatch, type FileJobError } from './bulk/domain/file-job';
export { FileJobView } from './bulk/http/file-jobs.dto';
export {
  EXISTS,
  comparableOperands,
  flagField,
  instantCondition,
  instantField,
  numberCondition,
  numberField,
  numericOperands,
  TEMPORAL,
  unknownOperator,
  wordCondition,
} from './search/application/field-kinds';
export { SavedSearches, type SavedSearchAnswer } from './search/application/saved-searches';
export { SavedSearchUses, type SavedSearchUse } from './search/application/saved-search-uses';
export { SearchContext, SearchMoments, wallClock } from './search/application/search-context';
export { SearchFields, type SearchFamily, type SearchField, type SearchReferences } from './search/application/search-fields';
export {
  COUNT_LIMIT,
  SEARCH_SORTS,
  SearchLanguage,
  type CompiledLeaf,
  type CompiledSearch,
  type SearchCount,
  type SearchRequest,
} from './search/application/search-language';
export { FileSearchText, type FileWords, type SearchTextKind } from './search/infrastructure/search-texts.rows';
export { type SearchOperand } from './search/domain/read-query';
export {
  leavesOf,
  queryText,
  SEARCH_LIMITS,
  toJson,
  type SearchLeaf,
  type SearchNode,
  type SearchQuery,
  type SearchScope,
} from './search/domain/search-query';
export {
  choiceValue,
  FLAG,
  ID,
  INSTANT_VALUE,
  isInstant,
  listOf,
  NUMBER,
  numberWithin,
  pairOf,
  partsOf,
  SCALAR,
  TEXT,
  USER,
  WHOLE,
  wordValue,
  type SearchValue,
} from './search/domain/search-values';
export { FileView, ListLibrary } from './core/http/files.dto';
export { metadataCondition, type MetadataColumn, type MetadataFilter } from './core/application/metadata-filter';
export { LISTED_REPO_TYPES, type FileAction, type Repository, type RepoType } from './core/domain/repositories';
