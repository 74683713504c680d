import { Body as FromBody, Controller, Get, Patch, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition, type WrittenPage } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { Favorites } from '../application/favorites';
import type { FileRow } from '../domain/file-row';
import { FileQueries } from '../application/file-queries';
import { FileReferences, referenceKey } from '../application/file-references';
import { FileTimeline } from '../application/file-timeline';
import { FilesService } from '../application/files.service';
import { EDIT, VIEW } from '../application/route-permissions';
import type { HistoryLine } from '../domain/history-line';
import {
  FavoriteView,
  FilePage,
  FileReferencePage,
  FileReferenceView,
  FileView,
  FoundFiles,
  HistoryPage,
  ListFileReferences,
  ListFiles,
  ListHistory,
  SearchFiles,
  UpdateFile,
} from './files.dto';

@ApiTags('Files')
@Controller('files')
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly queries: FileQueries,
    private readonly favorites: Favorites,
    private readonly references: FileReferences,
    private readonly timeline: FileTimeline,
  ) {}

  /**
   * Lists the files of one repository.
   *
   * Files in the trash are omitted; quarantined files are included for those who may edit the repository. `file_type` matches a prefix
   * if it ends in `/` (`image/`), `file_name` matches a part of the name, ignoring case; `file_metadata[key]=value` matches metadata
   * exactly.
   */
  @Get()
  @Policy({ any: VIEW })
  @Returns(FilePage)
  @Problems('not_found', 'license_required')
  list(@Caller() caller: Principal, @Query() query: ListFiles): Promise<WrittenPage> {
    return this.queries.listFiles(caller, query);
  }

  /**
   * Searches files by name.
   *
   * Names that start with the text come first, then names that contain it, then similar names. Without `repo_type`, all repositories
   * whose files you may see are searched.
   */
  @Get('search')
  @Named('searchFiles')
  @Policy({ any: VIEW })
  @Returns(FoundFiles)
  async search(@Caller() caller: Principal, @Query() query: SearchFiles): Promise<{ data: FileRow[] }> {
    return { data: await this.queries.searchNames(caller, query) };
  }

  /**
   * Reads one file.
   *
   * Files in the trash return 404.
   */
  @Get(':id')
  @HasId()
  @Policy({ any: VIEW })
  @ReturnsResource(FileView)
  @Problems('license_required')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<FileRow> {
    return this.queries.getFile(caller, id);
  }

  /**
   * Changes name, metadata or summary of a file.
   *
   * At least one is required; omitted fields are not changed. `file_metadata` replaces everything but the key `system`. A new name
   * without extension keeps the previous extension. Content and repository cannot be changed with this operation.
   */
  @Put(':id')
  @HasId()
  @Policy({ any: EDIT })
  @ReturnsResource(FileView)
  @HonoursIfMatch()
  @Problems('invalid_state', 'precondition_failed', 'license_required')
  update(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: UpdateFile,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileRow> {
    return this.files.change(caller, id, body, precondition);
  }

  /**
   * Marks or unmarks a file as your favorite.
   *
   * Favorites are personal.
   */
  @Patch(':id/favorite')
  @Named('setFileFavorite')
  @HasId()
  @Policy({ any: VIEW })
  @Returns(FavoriteView)
  favorite(@Caller() caller: Principal, @PathId() id: string): Promise<FavoriteView> {
    return this.favorites.toggleFavorite(caller, id);
  }

  /**
   * Lists the history of a file.
   *
   * Sorted by time, newest first.
   */
  @Get(':id/history')
  @HasId()
  @Policy({ any: VIEW })
  @Returns(HistoryPage)
  history(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListHistory): Promise<Page<HistoryLine>> {
    return this.timeline.listTimeline(caller, id, query);
  }

  /**
   * Lists where a file is used.
   *
   * Includes albums, designs, publications and other places that use it; places that you may not read are only counted. Without
   * `limit`, a page contains up to 1,000 places.
   */
  @Get(':id/references')
  @HasId()
  @Policy({ any: VIEW })
  @Returns(FileReferencePage)
  async usedIn(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListFileReferences): Promise<FileReferencePage> {
    const { data, hidden } = await this.references.findReferences(caller, id);
    return { ...pageOfRows(FileReferenceView, data, query, referenceKey), hidden };
  }
}
