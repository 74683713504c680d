export { FileLifecycle, type FileLifecycleHook } from './application/file-lifecycle';
export { FileReferences, type FileReference, type FileReferenceSource, type KnownReferences } from './application/file-references';
export { FileSummaries, type FilePreview, type FileSummary } from './application/file-summaries';
export { FilesHttpModule, FilesModule, FilesWorkerModule, INSPECTION_SCRIPT } from './files.module';
export { Sweep } from './application/sweep.service';
export { Trash } from './application/trash';
export { TrashRetention } from './application/trash-retention';
export { UploadExtensions, type UploadExtension, type UploadExtras } from './application/uploads-extensions';
export { type File } from './domain/file';
