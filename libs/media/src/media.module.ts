import { Module } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { RetrievalModule } from '@atrium/retrieval';
import { AlbumAcls } from './application/album-acls';
import { AlbumFiles } from './application/album-files';
import { AlbumHolds } from './application/album-holds';
import { AlbumsOfMembers } from './application/albums-of-members';
import { AlbumsOfPeople } from './application/albums-of-people';
import { AlbumsService } from './application/albums.service';
import { WorkspaceAlbums } from './application/workspace-albums';
import { AlbumsController } from './http/albums.controller';
import { AlbumsRepository } from './infrastructure/albums.repository';
import { MembershipsRepository } from './infrastructure/memberships.repository';

/** The media library: how files are organised. */
@Module({
  imports: [FilesModule, ModelsModule, RetrievalModule],
  providers: [AlbumsService, AlbumsRepository, MembershipsRepository, AlbumFiles, AlbumHolds, AlbumsOfMembers, AlbumsOfPeople, AlbumAcls, WorkspaceAlbums],
  exports: [AlbumsService],
})
export class MediaModule {}

/** The routes of this context. */
@Module({ imports: [MediaModule], controllers: [AlbumsController] })
export class MediaHttpModule {}

/** What this context does in a worker: it keeps albums in step with files. */
@Module({ imports: [MediaModule] })
export class MediaWorkerModule {}
