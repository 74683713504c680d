import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { AlbumAnswer } from '../application/album-answers';
import { AlbumCopies } from '../application/album-copies';
import { AlbumMembers } from '../application/album-members.service';
import { AlbumsService } from '../application/albums.service';
import type { MembershipRow } from '../domain/membership';
import {
  AddAlbumFiles,
  AddedFiles,
  AlbumDetail,
  AlbumFileIds,
  AlbumPage,
  AlbumStats,
  ChangeAlbum,
  CopyAlbum,
  CreateAlbum,
  ListAlbums,
  ListMemberships,
  MembershipPage,
  OrderAlbumFiles,
  OrderedFiles,
  RemovedFiles,
} from './albums.dto';

@ApiTags('Albums')
@Controller('albums')
export class AlbumsController {
  constructor(
    private readonly albums: AlbumsService,
    private readonly members: AlbumMembers,
    private readonly copies: AlbumCopies,
  ) {}

  /**
   * Lists albums with cover, file count and child count.
   *
   * Sorted by creation time, newest first. Contains only albums that you may read; inactive albums are included only with
   * `album_active=false`.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(AlbumPage, 'A page of albums.')
  list(@Caller() caller: Principal, @Query() query: ListAlbums): Promise<Page<AlbumAnswer>> {
    return this.albums.list(caller, query);
  }

  /**
   * Creates an empty album, or a smart album from a saved search.
   *
   * You must be allowed to edit the parent, and the cover must be a file of the media library. `album_smart` requires `album_query`, a
   * saved search of the media library; `POST /albums/smart` creates both in one request.
   */
  @Post()
  @Policy({ any: ['media:edit'], log: 'full' })
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
  @Returns(AlbumStats, 'The counts.')
  stats(@Caller() caller: Principal): Promise<Record<string, number>> {
    return this.albums.getStats(caller);
  }

  /**
   * Lists the memberships of files in albums.
   *
   * File records are not included; filter by `af_album` or `af_file`. Files in the trash and albums that you may not read are omitted.
   */
  @Get('memberships')
  @Policy({ any: ['media:view'] })
  @Returns(MembershipPage, 'A page of memberships.')
  memberships(@Caller() caller: Principal, @Query() query: ListMemberships): Promise<Page<MembershipRow>> {
    return this.members.listMembers(caller, query);
  }

  /** Reads one album with its cover, counts and parent albums. */
  @Get(':id')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the album.')
  @ReturnsResource(AlbumDetail)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<AlbumAnswer> {
    return this.albums.get(caller, id);
  }

  /**
   * Changes an album.
   *
   * Only fields in the request are changed. An album cannot be moved into itself or one of its descendants. Only owners and
   * administrators can change the access list.
   */
  @Patch(':id')
  @Policy({ all: ['media:edit'], log: 'full' })
  @HasId('id', 'Id of the album.')
  @HonoursIfMatch()
  @ReturnsResource(AlbumDetail)
  @Problems('invalid_move', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeAlbum,
    @IfMatch() precondition?: Precondition,
  ): Promise<AlbumAnswer> {
    return this.albums.change(caller, id, body, precondition);
  }

  /**
   * Deletes an album.
   *
   * Its files remain in the library, and its child albums move to the top level. A saved search that was created only for this album
   * is deleted as well. 409 while the album is under a legal hold.
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
   * Copies an album.
   *
   * The copy is curated: a copy of a smart album contains the files that the album shows now. It is placed beside the original if you
   * may create albums there, otherwise at the top level. Members who can see the original can see the copy. 409 for more than 100,000
   * files.
   */
  @Post(':id/copy')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @Creates(AlbumDetail, 'albums/{album_id}')
  @Problems('limit_reached')
  copy(@Caller() caller: Principal, @PathId() id: string, @FromBody() { album_name }: CopyAlbum): Promise<AlbumAnswer> {
    return this.copies.copyAlbum(caller, id, album_name);
  }

  /**
   * Adds files to an album.
   *
   * Up to 10,000 ids, added at the end or the start of its manual order. Ids that are not files of the media library are skipped and
   * counted. 409 for a smart album.
   */
  @Post(':id/files')
  @Named('addFilesToAlbum')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @Returns(AddedFiles, 'Number of files that were added and skipped.')
  @Problems('invalid_state')
  addFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids, position }: AddAlbumFiles): Promise<object> {
    return this.members.addMembers(caller, id, file_ids, position);
  }

  /**
   * Removes files from an album.
   *
   * They remain in the library. Ids that are not in the album are ignored. 409 while the album is under a legal hold, and for a smart
   * album.
   */
  @Delete(':id/files')
  @Named('removeFilesFromAlbum')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @Returns(RemovedFiles, 'Number of files that were removed.')
  @Problems('in_use', 'invalid_state')
  removeFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: AlbumFileIds): Promise<object> {
    return this.members.removeMembers(caller, id, file_ids);
  }

  /**
   * Changes the manual order of files in an album.
   *
   * Places the files before or after a file of the album, or at the end, in the order of the request. Sort by `af_position` to list
   * them in this order. Ids that are not in the album are skipped. 409 for a smart album.
   */
  @Patch(':id/files/order')
  @Named('orderAlbumFiles')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @Returns(OrderedFiles, 'Number of files that were moved and skipped.')
  @Problems('invalid_state')
  orderFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: OrderAlbumFiles): Promise<object> {
    return this.members.reorderMembers(caller, id, body);
  }
}
