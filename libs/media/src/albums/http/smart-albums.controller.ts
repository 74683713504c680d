import { Body as FromBody, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { AlbumAnswer } from '../application/album-answers';
import { SmartAlbumChanges } from '../application/smart-album-changes';
import { SmartAlbums, type Explanation } from '../application/smart-albums.service';
import type { AlbumChange } from '../domain/album-change';
import { AlbumDetail } from './albums.dto';
import { AlbumChangePage, ChangeSmartAlbum, CreateSmartAlbum, ExplainFile, ExplanationView, ListAlbumChanges } from './smart-albums.dto';

@ApiTags('Albums')
@Controller('albums')
export class SmartAlbumsController {
  constructor(
    private readonly albums: SmartAlbums,
    private readonly changes: SmartAlbumChanges,
  ) {}

  /**
   * Creates a smart album: a saved filter that shows whatever matches it now.
   *
   * The filter is read in the search language; every fault of it is named with its path. It runs with the rights of
   * whoever reads the album. The saved search is made with the album and named in `album_query`.
   */
  @Post('smart')
  @Named('createSmartAlbum')
  @Policy({ any: ['media:edit'] })
  @Creates(AlbumDetail, 'albums/{album_id}')
  create(@Caller() caller: Principal, @FromBody() body: CreateSmartAlbum): Promise<AlbumAnswer> {
    return this.albums.create(caller, body);
  }

  /**
   * Changes a smart album and its filter.
   *
   * Only the fields present are applied. A saved search that something else uses too stays as it is: the album gets one
   * of its own. 409 for a curated album.
   */
  @Patch(':id/smart')
  @Named('updateSmartAlbum')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the album.')
  @HonoursIfMatch()
  @ReturnsResource(AlbumDetail)
  @Problems('invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeSmartAlbum,
    @IfMatch() precondition?: Precondition,
  ): Promise<AlbumAnswer> {
    return this.albums.change(caller, id, body, precondition);
  }

  /**
   * Tells why a file is in a smart album, or why it is not.
   *
   * Each leaf of the filter with whether it is true of the file. 409 for a curated album.
   */
  @Get(':id/explain')
  @Named('explainSmartAlbum')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the album.')
  @Returns(ExplanationView, 'What each leaf of the filter says of the file.')
  @Problems('invalid_state')
  explain(@Caller() caller: Principal, @PathId() id: string, @Query() { file_id }: ExplainFile): Promise<Explanation> {
    return this.albums.explain(caller, id, file_id);
  }

  /**
   * Lists which files entered and left a smart album.
   *
   * Newest first; an album is looked at once a day and soon after its filter changed, and changes are kept for 90 days.
   * Favorites and other things that depend on who reads count for nobody here. 409 for a curated album.
   */
  @Get(':id/changes')
  @Named('listSmartAlbumChanges')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the album.')
  @Returns(AlbumChangePage, 'A page of changes.')
  @Problems('invalid_state')
  listChanges(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListAlbumChanges): Promise<Page<AlbumChange>> {
    return this.changes.list(caller, id, query);
  }
}
