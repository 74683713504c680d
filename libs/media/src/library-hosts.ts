import { AlbumsController } from './http/albums.controller';
import { MediaFilesController } from './http/media-files.controller';
import { SmartAlbumsController } from './http/smart-albums.controller';
import { SmartAlbumsHandler } from './jobs/smart-albums.handler';
import { smartAlbums } from './jobs/smart-albums.jobs';

/** What the hosts run of the listed library and its albums. */
export const LIBRARY_CONTROLLERS = [SmartAlbumsController, AlbumsController, MediaFilesController];

export const LIBRARY_JOBS = [smartAlbums];

export const LIBRARY_WORKER = [SmartAlbumsHandler];
