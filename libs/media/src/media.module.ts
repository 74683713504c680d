import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { RetrievalModule } from '@atrium/retrieval';
import { JobsModule } from '@atrium/platform/messaging';
import { LIBRARY_CONTROLLERS, LIBRARY_JOBS, LIBRARY_WORKER } from './library-hosts';
import { DUPLICATES_CONTROLLERS, DUPLICATES_JOBS, DUPLICATES_WORKER, DuplicatesModule } from './duplicates.module';
import { LibraryModule } from './library.module';
import { StatusesModule } from './statuses.module';
import { TagsModule } from './tags.module';

/** The media library: how files are organised. */
@Module({
  imports: [FilesModule, DuplicatesModule, LibraryModule, StatusesModule, TagsModule, ModelsModule, RetrievalModule],
  exports: [DuplicatesModule, LibraryModule, StatusesModule, TagsModule],
})
export class MediaModule {}

/** The routes of this context. */
@Module({ imports: [MediaModule], controllers: [...DUPLICATES_CONTROLLERS, ...LIBRARY_CONTROLLERS] })
export class MediaHttpModule {}

/** What this context does in a worker: it keeps albums in step with files. */
@Module({ imports: [MediaModule, JobsModule.define([...LIBRARY_JOBS, ...DUPLICATES_JOBS])], providers: [...LIBRARY_WORKER, ...DUPLICATES_WORKER] })
export class MediaWorkerModule {}
