import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { RetrievalModule } from '@atrium/retrieval';
import { AlbumAccess } from '../albums/application/album-access';
import { AlbumAcls } from '../albums/application/album-acls';
import { AlbumAnswers } from '../albums/application/album-answers';
import { AlbumCopies } from '../albums/application/album-copies';
import { AlbumFiles } from '../albums/application/album-files';
import { AlbumHolds } from '../albums/application/album-holds';
import { AlbumMembers } from '../albums/application/album-members.service';
import { AlbumSearchField } from '../albums/application/album-search-field';
import { AlbumsOfMembers } from '../albums/application/albums-of-members';
import { AlbumsOfPeople } from '../albums/application/albums-of-people';
import { AlbumsService } from '../albums/application/albums.service';
import { MediaFacts } from './application/media-facts';
import { MediaFiles } from './application/media-files';
import { MediaListing } from './application/media-listing.service';
import { MediaOverview } from './application/media-overview.service';
import { MediaQuery } from './application/media-query';
import { SavedSearchesOfAlbums } from '../albums/application/saved-searches-of-albums';
import { SharedAlbums } from '../albums/application/shared-albums';
import { SmartAlbumChanges } from '../albums/application/smart-album-changes';
import { SmartAlbums } from '../albums/application/smart-albums.service';
import { SmartContents } from '../albums/application/smart-contents';
import { WorkspaceAlbums } from '../albums/application/workspace-albums';
import { AlbumSnapshotsRepository } from '../albums/infrastructure/album-snapshots.repository';
import { AlbumsRepository } from '../albums/infrastructure/albums.repository';
import { FileSurroundingsRepository } from './infrastructure/file-surroundings.repository';
import { LibraryOverviewRepository } from './infrastructure/library-overview.repository';
import { MembershipsRepository } from '../albums/infrastructure/memberships.repository';

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
