import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { RetrievalModule } from '@atrium/retrieval';
import { AlbumsModule } from '../albums/albums.module';
import { MediaFacts } from './application/media-facts';
import { MediaFiles } from './application/media-files';
import { MediaListing } from './application/media-listing.service';
import { MediaOverview } from './application/media-overview.service';
import { MediaQuery } from './application/media-query';
import { MediaFilesController } from './http/media-files.controller';
import { FileSurroundingsRepository } from './infrastructure/file-surroundings.repository';
import { LibraryOverviewRepository } from './infrastructure/library-overview.repository';

const LIBRARY: Provider[] = [
  FileSurroundingsRepository,
  LibraryOverviewRepository,
  MediaFacts,
  MediaFiles,
  MediaListing,
  MediaOverview,
  MediaQuery,
];

/** The files of the library as they are listed, counted and read. */
@Module({ imports: [FilesModule, RetrievalModule, AlbumsModule], providers: LIBRARY, exports: LIBRARY })
export class LibraryModule {}

/** Its routes. */
@Module({ imports: [LibraryModule], controllers: [MediaFilesController] })
export class LibraryHttpModule {}
