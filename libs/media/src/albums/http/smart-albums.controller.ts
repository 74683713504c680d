import { Body as FromBody, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { AlbumAnswer } from '../application/album-answers';
import { SmartAlbumChanges, type AlbumChange } from '../application/smart-album-changes';
import { SmartAlbums, type Explanation } from '../application/smart-albums.service';
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
   * Creates a smart album: a saved filter that shows the files that match it now.
   *
   * The filter is written in the search language; each error in it is reported with its path. It is evaluated with the permissions of
   * the member who reads the album. The saved search is created with the album and referenced in `album_query`.
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
   * Only fields in the request are changed. If the saved search is also used elsewhere, it is not changed, and the album gets a saved
   * search of its own. 409 for a curated album.
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
   * Explains why a file is in a smart album, or why it is not.
   *
   * Lists each condition of the filter and whether the file meets it. 409 for a curated album.
   */
  @Get(':id/explain')
  @Named('explainSmartAlbum')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the album.')
  @Returns(ExplanationView, 'Result of each condition for the file.')
  @Problems('invalid_state')
  explain(@Caller() caller: Principal, @PathId() id: string, @Query() { file_id }: ExplainFile): Promise<Explanation> {
    return this.albums.explainFile(caller, id, file_id);
  }

  /**
   * Lists the changes of a smart album: files that were added and removed.
   *
   * Sorted by time, newest first. An album is compared once a day and soon after its filter changes; changes are kept for 90 days.
   * Favorites and other conditions that depend on the reader are ignored here. 409 for a curated album.
   */
  @Get(':id/changes')
  @Named('listSmartAlbumChanges')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the album.')
  @Returns(AlbumChangePage, 'A page of changes.')
  @Problems('invalid_state')
  listChanges(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListAlbumChanges): Promise<Page<AlbumChange>> {
    return this.changes.listChanges(caller, id, query);
  }
}
