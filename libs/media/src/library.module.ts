import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { AlbumAcls } from './application/album-acls';
import { AlbumFiles } from './application/album-files';
import { AlbumHolds } from './application/album-holds';
import { AlbumsOfMembers } from './application/albums-of-members';
import { AlbumsOfPeople } from './application/albums-of-people';
import { AlbumsService } from './application/albums.service';
import { MediaFiles } from './application/media-files';
import { WorkspaceAlbums } from './application/workspace-albums';
import { AlbumsRepository } from './infrastructure/albums.repository';
import { FileSurroundingsRepository } from './infrastructure/file-surroundings.repository';
import { MembershipsRepository } from './infrastructure/memberships.repository';

const LIBRARY: Provider[] = [
  AlbumAcls,
  AlbumFiles,
  AlbumHolds,
  AlbumsOfMembers,
  AlbumsOfPeople,
  AlbumsRepository,
  AlbumsService,
  FileSurroundingsRepository,
  MediaFiles,
  MembershipsRepository,
  WorkspaceAlbums,
];

/** The listed library and its albums: what the other areas of this context stand on. */
@Module({ imports: [FilesModule], providers: LIBRARY, exports: LIBRARY })
export class LibraryModule {}
