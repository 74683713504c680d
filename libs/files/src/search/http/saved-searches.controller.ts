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
   * Lists the saved searches of the libraries the caller may see.
   *
   * Newest first. `sq_scope=docs` needs the documents module.
   */
  @Get()
  @Policy({ any: VIEW })
  @Returns(SavedSearchPage, 'A page of saved searches.')
  @Problems('license_required')
  list(@Caller() caller: Principal, @Query() query: ListSavedSearches): Promise<Page<SavedSearchAnswer>> {
    return this.searches.list(caller, query);
  }

  /**
   * Saves a query under a name.
   *
   * The query is kept in canonical form and runs with the rights of whoever reads it later, never with the author's. What
   * it names (tags, albums, people, users) must exist now. Every fault of the query is told with its path, such as
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
   * Tries a query out and keeps nothing.
   *
   * Answers how many files match for the caller (counting stops at 10000), the first of them, the canonical form, and
   * with `explain` how many files each leaf matches by itself. What the query names in vain is told in `warnings`.
   */
  @Post('preview')
  @Named('previewSavedSearch')
  @HttpCode(200)
  @Policy({ any: VIEW })
  @Returns(SearchPreviewView, 'What the query finds.')
  @Problems('license_required')
  preview(@Caller() caller: Principal, @FromBody() body: PreviewSearch): Promise<SearchPreviewAnswer> {
    return this.previews.run(caller, body);
  }

  /** Reads one saved search, with what it names in vain and how many albums or folders it fills. */
  @Get(':id')
  @Policy({ any: VIEW })
  @HasId('id', 'Id of the saved search.')
  @ReturnsResource(SavedSearchView)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<SavedSearchAnswer> {
    return this.searches.one(caller, id);
  }

  /**
   * Changes name or query.
   *
   * Name at least one. Albums and folders that the search fills show what the new query finds. The scope never changes.
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

  /** Deletes a saved search. 409 while it fills an album or a folder. */
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
