import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { RetrievalModule } from '@atrium/retrieval';
import { AlbumsController } from './http/albums.controller';
import { LibraryModule } from './library.module';
import { StatusesModule } from './statuses.module';
import { TagsModule } from './tags.module';

/** The media library: how files are organised. */
@Module({
  imports: [FilesModule, LibraryModule, StatusesModule, TagsModule, ModelsModule, RetrievalModule],
  exports: [LibraryModule, StatusesModule, TagsModule],
})
export class MediaModule {}

/** The routes of this context. */
@Module({ imports: [MediaModule], controllers: [AlbumsController] })
export class MediaHttpModule {}

/** What this context does in a worker: it keeps albums in step with files. */
@Module({ imports: [MediaModule] })
export class MediaWorkerModule {}
