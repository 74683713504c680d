import { AlbumsController } from '../albums/http/albums.controller';
import { MediaFilesController } from './http/media-files.controller';
import { SmartAlbumsController } from '../albums/http/smart-albums.controller';
import { SmartAlbumsHandler } from '../albums/jobs/smart-albums.handler';
import { smartAlbums } from '../albums/jobs/smart-albums.jobs';

/** What the hosts run of the listed library and its albums. */
export const LIBRARY_CONTROLLERS = [SmartAlbumsController, AlbumsController, MediaFilesController];

export const LIBRARY_JOBS = [smartAlbums];

export const LIBRARY_WORKER = [SmartAlbumsHandler];
