import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { JobsModule } from '@atrium/platform/messaging';
import { AlbumAccess } from './application/album-access';
import { AlbumAcls } from './application/album-acls';
import { AlbumAnswers } from './application/album-answers';
import { AlbumCopies } from './application/album-copies';
import { AlbumFiles } from './application/album-files';
import { AlbumHolds } from './application/album-holds';
import { AlbumMembers } from './application/album-members.service';
import { AlbumSearchField } from './application/album-search-field';
import { AlbumsOfMembers } from './application/albums-of-members';
import { AlbumsService } from './application/albums.service';
import { SavedSearchesOfAlbums } from './application/saved-searches-of-albums';
import { SharedAlbums } from './application/shared-albums';
import { SmartAlbumChanges } from './application/smart-album-changes';
import { SmartAlbums } from './application/smart-albums.service';
import { SmartContents } from './application/smart-contents';
import { AlbumsController } from './http/albums.controller';
import { SmartAlbumsController } from './http/smart-albums.controller';
import { AlbumSnapshotsRepository } from './infrastructure/album-snapshots.repository';
import { AlbumsRepository } from './infrastructure/albums.repository';
import { MembershipsRepository } from './infrastructure/memberships.repository';
import { SmartAlbumsHandler } from './jobs/smart-albums.handler';
import { smartAlbums } from './jobs/smart-albums.jobs';

const ALBUMS: Provider[] = [
  AlbumAccess,
  AlbumAcls,
  AlbumAnswers,
  AlbumCopies,
  AlbumFiles,
  AlbumHolds,
  AlbumMembers,
  AlbumSearchField,
  AlbumSnapshotsRepository,
  AlbumsOfMembers,
  AlbumsRepository,
  AlbumsService,
  MembershipsRepository,
  SavedSearchesOfAlbums,
  SharedAlbums,
  SmartAlbumChanges,
  SmartAlbums,
  SmartContents,
];

/** Albums: who may see them, what lies in them and in which order, and those that a saved search fills. */
@Module({ imports: [FilesModule], providers: ALBUMS, exports: ALBUMS })
export class AlbumsModule {}

/** Its routes. */
@Module({ imports: [AlbumsModule], controllers: [SmartAlbumsController, AlbumsController] })
export class AlbumsHttpModule {}

/** Its background work. */
@Module({ imports: [AlbumsModule, JobsModule.define([smartAlbums])], providers: [SmartAlbumsHandler] })
export class AlbumsWorkerModule {}
