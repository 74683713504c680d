import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { RetrievalModule } from '@atrium/retrieval';
import { JobsModule } from '@atrium/platform/messaging';
import { LIBRARY_CONTROLLERS, LIBRARY_JOBS, LIBRARY_WORKER } from './library/library-hosts';
import { DUPLICATES_CONTROLLERS, DUPLICATES_JOBS, DUPLICATES_WORKER, DuplicatesModule } from './duplicates/duplicates.module';
import { AnalysisHttpModule, AnalysisModule, AnalysisWorkerModule } from './analysis/analysis.module';
import { FactsOfFiles } from './statuses/application/facts-of-files';
import { LibraryModule } from './library/library.module';
import { PEOPLE_CONTROLLERS, PEOPLE_JOBS, PEOPLE_WORKER, PeopleModule } from './people/people.module';
import { STOCK_CONTROLLERS, STOCK_JOBS, STOCK_WORKER, StockModule } from './stock/stock.module';
import { STATUSES_CONTROLLERS, STATUSES_WORKER, StatusesModule } from './statuses/statuses.module';
import { TAGS_CONTROLLERS, TAGS_JOBS, TAGS_WORKER, TagsModule } from './tags/tags.module';

/** The media library: how files are organised. */
@Module({
  imports: [
    FilesModule,
    AnalysisModule,
    DuplicatesModule,
    LibraryModule,
    PeopleModule,
    StatusesModule,
    StockModule,
    TagsModule,
    ModelsModule,
    RetrievalModule,
  ],
  providers: [FactsOfFiles],
  exports: [AnalysisModule, DuplicatesModule, LibraryModule, PeopleModule, StatusesModule, StockModule, TagsModule],
})
export class MediaModule {}

/** The routes of this context. */
@Module({
  imports: [MediaModule, AnalysisHttpModule],
  controllers: [
    ...DUPLICATES_CONTROLLERS,
    ...LIBRARY_CONTROLLERS,
    ...PEOPLE_CONTROLLERS,
    ...STATUSES_CONTROLLERS,
    ...STOCK_CONTROLLERS,
    ...TAGS_CONTROLLERS,
  ],
})
export class MediaHttpModule {}

/** What this context does in a worker: it keeps albums in step with files. */
@Module({
  imports: [
    MediaModule,
    AnalysisWorkerModule,
    JobsModule.define([...LIBRARY_JOBS, ...DUPLICATES_JOBS, ...PEOPLE_JOBS, ...STOCK_JOBS, ...TAGS_JOBS]),
  ],
  providers: [...LIBRARY_WORKER, ...DUPLICATES_WORKER, ...PEOPLE_WORKER, ...STATUSES_WORKER, ...STOCK_WORKER, ...TAGS_WORKER],
})
export class MediaWorkerModule {}
