import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { ContentLibrariesService, type LibraryRow, type VersionedLibraryRow } from '../application/content-libraries.service';
import {
  ChangeContentLibrary,
  ContentLibraryPage,
  ContentLibraryView,
  CopyContentLibrary,
  CreateContentLibrary,
  ListContentLibraries,
} from './content-libraries.dto';

/** Sets of content schemas that sites share. */
@ApiTags('Content schemas')
@Controller('content-schema-libraries')
export class ContentLibrariesController {
  constructor(private readonly libraries: ContentLibrariesService) {}

  /**
   * Lists content schema libraries.
   *
   * The newest come first. Inactive libraries are listed only with `lib_active=false`. Every workspace has the library
   * Standard.
   */
  @Get()
  @Policy({ any: ['content:view'] })
  @Returns(ContentLibraryPage, 'A page of libraries.')
  list(@Caller() caller: Principal, @Query() query: ListContentLibraries): Promise<Page<LibraryRow>> {
    return this.libraries.list(caller, query);
  }

  /**
   * Creates a content schema library without schemas.
   *
   * Fails with 409 if an active library has the same name, and beyond 500 active libraries.
   */
  @Post()
  @Policy({ all: ['content:schema:edit'] })
  @Creates(ContentLibraryView, 'content-schema-libraries/{lib_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateContentLibrary): Promise<VersionedLibraryRow> {
    return this.libraries.create(caller, body);
  }

  /** Reads a content schema library. */
  @Get(':id')
  @Policy({ any: ['content:view'] })
  @HasId('id', 'Id of the library.')
  @ReturnsState(ContentLibraryView, 'The library.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedLibraryRow> {
    return this.libraries.get(caller, id);
  }

  /**
   * Changes a content schema library.
   *
   * Omitted fields stay as they are; `lib_active: true` restores a deleted library, which cannot be changed otherwise
   * (409). The library Standard cannot be changed (409 `invalid_state`): copy it instead. Fails with 409 `in_use` if the
   * library is deactivated while sites use it.
   */
  @Patch(':id')
  @Policy({ all: ['content:schema:edit'] })
  @HasId('id', 'Id of the library.')
  @HonoursIfMatch()
  @ReturnsState(ContentLibraryView, 'The library.')
  @Problems('already_exists', 'in_use', 'invalid_state', 'limit_reached', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeContentLibrary,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedLibraryRow> {
    return this.libraries.change(caller, id, body, precondition);
  }

  /**
   * Deactivates a content schema library.
   *
   * It is returned with `lib_active` false from then on, and its schemas are kept. Fails with 409 `in_use`, listing the
   * sites, while sites use the library. The library Standard cannot be deleted (409 `invalid_state`).
   */
  @Delete(':id')
  @Policy({ all: ['content:schema:edit'] })
  @HasId('id', 'Id of the library.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('in_use', 'invalid_state', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.libraries.deactivate(caller, id, precondition);
  }

  /**
   * Copies a content schema library.
   *
   * The copy has all active schemas of the library under the same keys and belongs to the workspace: this is how the
   * library Standard is adapted. Links to components of a content management system are not copied.
   */
  @Post(':id/copy')
  @Named('copyContentSchemaLibrary')
  @Policy({ all: ['content:schema:edit'] })
  @HasId('id', 'Id of the library.')
  @Creates(ContentLibraryView, 'content-schema-libraries/{lib_id}')
  @Problems('already_exists', 'limit_reached')
  copy(@Caller() caller: Principal, @PathId() id: string, @FromBody() { lib_name }: CopyContentLibrary): Promise<VersionedLibraryRow> {
    return this.libraries.copy(caller, id, lib_name);
  }
}
