export { MediaHttpModule, MediaModule, MediaWorkerModule } from './media.module';
export { MediaFiles, type MediaFileExtras, type MediaFileRow } from './application/media-files';
