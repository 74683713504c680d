export { FileSummaries, type FilePreview, type FileSummary } from './application/file-summaries';
