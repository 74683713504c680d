import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { AlbumsService, type AlbumAnswer } from '../application/albums.service';
import type { MembershipRow } from '../domain/membership';
import { AddedFiles, AlbumDetail, AlbumFileIds, AlbumPage, AlbumStats, ChangeAlbum, CreateAlbum, ListAlbums, ListMemberships, MembershipPage, RemovedFiles } from './albums.dto';

@ApiTags('Albums')
@Controller('albums')
export class AlbumsController {
  constructor(private readonly albums: AlbumsService) {}

  /**
   * Lists albums with cover, file count and child count.
   *
   * Newest first. Only albums the caller may read; inactive ones are left out unless `album_active=false` asks for them.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(AlbumPage, 'A page of albums.')
  list(@Caller() caller: Principal, @Query() query: ListAlbums): Promise<Page<AlbumAnswer>> {
    return this.albums.list(caller, query);
  }

  /**
   * Creates an empty album.
   *
   * The parent must be one the caller may edit; the cover must be a file of the media library.
   */
  @Post()
  @Policy({ any: ['media:edit'] })
  @Creates(AlbumDetail, 'albums/{album_id}')
  @Problems('invalid_move')
  create(@Caller() caller: Principal, @FromBody() body: CreateAlbum): Promise<AlbumAnswer> {
    return this.albums.create(caller, body);
  }

  /**
   * Counts the albums of the workspace.
   */
  @Get('stats')
  @Policy({ any: ['media:view'] })
  @Returns(AlbumStats, 'How many albums there are.')
  stats(@Caller() caller: Principal): Promise<Record<string, number>> {
    return this.albums.stats(caller);
  }

  /**
   * Lists which files lie in which albums.
   *
   * Without the file records; narrow by `af_album` or `af_file`. Files in trash and albums the caller may not read are left out.
   */
  @Get('memberships')
  @Policy({ any: ['media:view'] })
  @Returns(MembershipPage, 'A page of memberships.')
  memberships(@Caller() caller: Principal, @Query() query: ListMemberships): Promise<Page<MembershipRow>> {
    return this.albums.listMemberships(caller, query);
  }

  /**
   * Reads one album with cover, counts and the path of albums above it.
   */
  @Get(':id')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the album.')
  @ReturnsResource(AlbumDetail)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<AlbumAnswer> {
    return this.albums.one(caller, id);
  }

  /**
   * Changes an album.
   *
   * Only the fields present are applied. Moving an album into itself or below itself is refused; who may see it is
   * changed by its owners and by administrators.
   */
  @Patch(':id')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @HonoursIfMatch()
  @ReturnsResource(AlbumDetail)
  @Problems('invalid_move', 'precondition_failed')
  change(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ChangeAlbum, @IfMatch() precondition?: Precondition): Promise<AlbumAnswer> {
    return this.albums.change(caller, id, body, precondition);
  }

  /**
   * Deletes an album.
   *
   * Its files stay in the library; albums in it move to the top level. 409 while it is under a legal hold.
   */
  @Delete(':id')
  @Policy({ all: ['media:delete'] })
  @HasId('id', 'Id of the album.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.albums.remove(caller, id, precondition);
  }

  /**
   * Adds files to an album.
   *
   * Up to 10,000 ids; those that name no file of the media library are skipped and counted.
   */
  @Post(':id/files')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @Returns(AddedFiles, 'What was added.')
  addFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: AlbumFileIds): Promise<object> {
    return this.albums.addFiles(caller, id, file_ids);
  }

  /**
   * Removes files from an album.
   *
   * They stay in the library; ids that are not in the album are ignored. 409 while the album is under a legal hold.
   */
  @Delete(':id/files')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @Returns(RemovedFiles, 'What was removed.')
  @Problems('in_use')
  removeFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: AlbumFileIds): Promise<object> {
    return this.albums.removeFiles(caller, id, file_ids);
  }
}
