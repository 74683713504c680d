import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { RetrievalModule } from '@atrium/retrieval';
import { AlbumAccess } from './application/album-access';
import { AlbumAcls } from './application/album-acls';
import { AlbumAnswers } from './application/album-answers';
import { AlbumCopies } from './application/album-copies';
import { AlbumFiles } from './application/album-files';
import { AlbumHolds } from './application/album-holds';
import { AlbumMembers } from './application/album-members.service';
import { AlbumSearchField } from './application/album-search-field';
import { AlbumsOfMembers } from './application/albums-of-members';
import { AlbumsOfPeople } from './application/albums-of-people';
import { AlbumsService } from './application/albums.service';
import { MediaFacts } from './application/media-facts';
import { MediaFiles } from './application/media-files';
import { MediaListing } from './application/media-listing.service';
import { MediaOverview } from './application/media-overview.service';
import { MediaQuery } from './application/media-query';
import { SavedSearchesOfAlbums } from './application/saved-searches-of-albums';
import { SharedAlbums } from './application/shared-albums';
import { SmartAlbumChanges } from './application/smart-album-changes';
import { SmartAlbums } from './application/smart-albums.service';
import { SmartContents } from './application/smart-contents';
import { WorkspaceAlbums } from './application/workspace-albums';
import { AlbumSnapshotsRepository } from './infrastructure/album-snapshots.repository';
import { AlbumsRepository } from './infrastructure/albums.repository';
import { FileSurroundingsRepository } from './infrastructure/file-surroundings.repository';
import { LibraryOverviewRepository } from './infrastructure/library-overview.repository';
import { MembershipsRepository } from './infrastructure/memberships.repository';

const LIBRARY: Provider[] = [
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
  AlbumsOfPeople,
  AlbumsRepository,
  AlbumsService,
  FileSurroundingsRepository,
  LibraryOverviewRepository,
  MediaFacts,
  MediaFiles,
  MediaListing,
  MediaOverview,
  MediaQuery,
  MembershipsRepository,
  SavedSearchesOfAlbums,
  SharedAlbums,
  SmartAlbumChanges,
  SmartAlbums,
  SmartContents,
  WorkspaceAlbums,
];

/** The listed library and its albums: what the other areas of this context stand on. */
@Module({ imports: [FilesModule, RetrievalModule], providers: LIBRARY, exports: LIBRARY })
export class LibraryModule {}
