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
import { AlbumPlaces } from './application/album-places';
import { AlbumSearchField } from './application/album-search-field';
import { AlbumSelection } from './application/album-selection';
import { AlbumsInHistory } from './application/albums-in-history';
import { AlbumsOfMembers } from './application/albums-of-members';
import { AlbumsService } from './application/albums.service';
import { ClosedAlbums } from './application/closed-albums';
import { GuardedContents } from './application/guarded-contents';
import { SavedSearchesOfAlbums } from './infrastructure/saved-searches-of-albums';
import { SharedAlbums } from './application/shared-albums';
import { SmartAlbumChanges } from './application/smart-album-changes';
import { SmartAlbums } from './application/smart-albums.service';
import { SmartContents } from './application/smart-contents';
import { AlbumKind, DOCUMENT_FOLDERS, MEDIA_ALBUMS } from './domain/album-kind';
import { AlbumsController } from './http/albums.controller';
import { SmartAlbumsController } from './http/smart-albums.controller';
import { AlbumFileRows } from './infrastructure/album-files.rows';
import { AlbumReadingRows } from './infrastructure/album-reading.rows';
import { AlbumSnapshotsRepository } from './infrastructure/album-snapshots.repository';
import { AlbumsRepository } from './infrastructure/albums.repository';
import { MembershipsRepository } from './infrastructure/memberships.repository';
import { SmartAlbumsHandler } from './jobs/smart-albums.handler';
import { smartAlbums } from './jobs/smart-albums.jobs';

/** What there is once for each kind of albums. */
const OF_A_KIND: Provider[] = [
  AlbumAccess,
  AlbumAcls,
  AlbumAnswers,
  AlbumMembers,
  AlbumPlaces,
  AlbumSelection,
  AlbumsRepository,
  AlbumsService,
  GuardedContents,
  MembershipsRepository,
  SmartAlbums,
  SmartContents,
];

/** What there is once for the albums of all kinds, and for those of the media library alone. */
const ALBUMS: Provider[] = [
  AlbumCopies,
  AlbumFiles,
  AlbumHolds,
  AlbumSearchField,
  AlbumSnapshotsRepository,
  AlbumsInHistory,
  AlbumsOfMembers,
  SavedSearchesOfAlbums,
  SharedAlbums,
  SmartAlbumChanges,
];

/** What there is once and knows no kind. */
const OF_ALL_KINDS: Provider[] = [AlbumFileRows, AlbumReadingRows, ClosedAlbums];

/** Which albums are closed to whom, and how albums of all kinds are read. */
@Module({ providers: OF_ALL_KINDS, exports: OF_ALL_KINDS })
class ReadAlbumsModule {}

/** Albums: who may see them, their content and its order, and those that a saved search fills. */
@Module({
  imports: [FilesModule, ReadAlbumsModule],
  providers: [...ALBUMS, ...OF_A_KIND, { provide: AlbumKind, useValue: MEDIA_ALBUMS }],
  exports: [...ALBUMS, ...OF_A_KIND, ReadAlbumsModule],
})
export class AlbumsModule {}

/**
 * The same services over the folders of the document library. A context that imports it does not import the albums of the media
 * library as well.
 */
@Module({
  imports: [FilesModule, ReadAlbumsModule],
  providers: [...OF_A_KIND, { provide: AlbumKind, useValue: DOCUMENT_FOLDERS }],
  exports: [...OF_A_KIND, ReadAlbumsModule],
})
export class DocumentFoldersModule {}

/** Its routes. */
@Module({ imports: [AlbumsModule], controllers: [SmartAlbumsController, AlbumsController] })
export class AlbumsHttpModule {}

/** Its background work. */
@Module({ imports: [AlbumsModule, JobsModule.define([smartAlbums])], providers: [SmartAlbumsHandler] })
export class AlbumsWorkerModule {}
