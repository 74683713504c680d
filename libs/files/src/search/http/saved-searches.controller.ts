import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, type Permission, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { SavedSearches, type SavedSearchAnswer } from '../application/saved-searches';
import { SearchPreview, type SearchPreviewAnswer } from '../application/search-preview';
import {
  ChangeSavedSearch,
  CreateSavedSearch,
  ListSavedSearches,
  PreviewSearch,
  SavedSearchPage,
  SavedSearchView,
  SearchPreviewView,
} from './saved-searches.dto';

const VIEW: readonly Permission[] = ['media:view', 'document:view'];
const EDIT: readonly Permission[] = ['media:edit', 'document:edit'];

@ApiTags('Saved searches')
@Controller('saved-searches')
export class SavedSearchesController {
  constructor(
    private readonly searches: SavedSearches,
    private readonly previews: SearchPreview,
  ) {}

  /**
   * Lists the saved searches of the libraries that you may see.
   *
   * Sorted by creation time, newest first. `sq_scope=docs` requires the documents module.
   */
  @Get()
  @Policy({ any: VIEW })
  @Returns(SavedSearchPage, 'A page of saved searches.')
  @Problems('license_required')
  list(@Caller() caller: Principal, @Query() query: ListSavedSearches): Promise<Page<SavedSearchAnswer>> {
    return this.searches.list(caller, query);
  }

  /**
   * Creates a saved search.
   *
   * The query is stored in canonical form and evaluated with the permissions of the member who uses it, never with those of its
   * author. The tags, albums, people and users that it names must exist. Each error in the query is reported with its path, such as
   * `sq_query.where.all[1].op`. The guide "Search" describes the language.
   */
  @Post()
  @Policy({ any: EDIT })
  @Creates(SavedSearchView, 'saved-searches/{sq_id}')
  @Problems('license_required')
  create(@Caller() caller: Principal, @FromBody() body: CreateSavedSearch): Promise<SavedSearchAnswer> {
    return this.searches.create(caller, body);
  }

  /**
   * Runs a query without saving it.
   *
   * Returns the number of files that match for you (counted up to 10,000), the first of them, the canonical form and, with `explain`,
   * the number of files that match each condition individually. `warnings` lists names in the query that do not exist.
   */
  @Post('preview')
  @Named('previewSavedSearch')
  @HttpCode(200)
  @Policy({ any: VIEW }, { rate: 'search' })
  @Returns(SearchPreviewView, 'Result of the query.')
  @Problems('license_required')
  preview(@Caller() caller: Principal, @FromBody() body: PreviewSearch): Promise<SearchPreviewAnswer> {
    return this.previews.previewSearch(caller, body);
  }

  /** Reads a saved search, with warnings about names that no longer exist and the number of albums or folders it fills. */
  @Get(':id')
  @Policy({ any: VIEW })
  @HasId('id', 'Id of the saved search.')
  @ReturnsResource(SavedSearchView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<SavedSearchAnswer> {
    return this.searches.get(caller, id);
  }

  /**
   * Changes the name or query of a saved search.
   *
   * At least one is required. Albums and folders that use the search show the results of the new query. The scope cannot be changed.
   */
  @Patch(':id')
  @Policy({ any: EDIT })
  @HasId('id', 'Id of the saved search.')
  @HonoursIfMatch()
  @ReturnsResource(SavedSearchView)
  @Problems('precondition_failed', 'license_required')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeSavedSearch,
    @IfMatch() precondition?: Precondition,
  ): Promise<SavedSearchAnswer> {
    return this.searches.change(caller, id, body, precondition);
  }

  /**
   * Deletes a saved search.
   *
   * 409 while an album or a folder uses it.
   */
  @Delete(':id')
  @Policy({ any: EDIT })
  @HasId('id', 'Id of the saved search.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'precondition_failed', 'license_required')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.searches.remove(caller, id, precondition);
  }
}
