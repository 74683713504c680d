import { Module } from '@nestjs/common';
import { AlbumsHttpModule, AlbumsModule, AlbumsWorkerModule } from './albums/albums.module';
import { AnalysisHttpModule, AnalysisModule, AnalysisWorkerModule } from './analysis/analysis.module';
import { DuplicatesHttpModule, DuplicatesModule, DuplicatesWorkerModule } from './duplicates/duplicates.module';
import { LibraryHttpModule, LibraryModule } from './library/library.module';
import { PeopleHttpModule, PeopleModule, PeopleWorkerModule } from './people/people.module';
import { SharedModule } from './shared/shared.module';
import { StatusesHttpModule, StatusesModule, StatusesWorkerModule } from './statuses/statuses.module';
import { StockHttpModule, StockModule, StockWorkerModule } from './stock/stock.module';
import { TagsHttpModule, TagsModule, TagsWorkerModule } from './tags/tags.module';

const AREAS = [
  AlbumsModule,
  AnalysisModule,
  DuplicatesModule,
  LibraryModule,
  PeopleModule,
  SharedModule,
  StatusesModule,
  StockModule,
  TagsModule,
];

/** The media library: how files are organised. */
@Module({ imports: AREAS, exports: AREAS })
export class MediaModule {}

/** Its routes; of two that fit an address the earlier one answers. */
@Module({
  imports: [
    MediaModule,
    DuplicatesHttpModule,
    AlbumsHttpModule,
    LibraryHttpModule,
    PeopleHttpModule,
    StatusesHttpModule,
    StockHttpModule,
    TagsHttpModule,
    AnalysisHttpModule,
  ],
})
export class MediaHttpModule {}

/** Its background work: it keeps albums in step with files, sorts faces, analyses what is new. */
@Module({
  imports: [
    MediaModule,
    AlbumsWorkerModule,
    AnalysisWorkerModule,
    DuplicatesWorkerModule,
    PeopleWorkerModule,
    StatusesWorkerModule,
    StockWorkerModule,
    TagsWorkerModule,
  ],
})
export class MediaWorkerModule {}
