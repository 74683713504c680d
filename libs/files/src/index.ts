export { UploadExtensions, type UploadExtension, type UploadExtras } from './application/uploads-extensions';
export { FileSummaries, type FilePreview, type FileSummary } from './application/file-summaries';
export { FileLifecycle, type FileLifecycleHook } from './application/file-lifecycle';
export { type File } from './domain/file';
export { FilesHttpModule, FilesModule, FilesWorkerModule, INSPECTION_SCRIPT } from './files.module';
export { FileReferences, type FileReference, type FileReferenceSource, type KnownReferences } from './application/file-references';
export { TrashRetention } from './application/trash-retention';
