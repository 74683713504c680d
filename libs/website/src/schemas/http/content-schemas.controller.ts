import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { ContentSchemasService, type SchemaRow, type VersionedSchemaRow } from '../application/content-schemas.service';
import { ChangeContentSchema, ContentSchemaPage, ContentSchemaView, CreateContentSchema, ListContentSchemas } from './content-schemas.dto';

/** Fields of pages and blocks. */
@ApiTags('Content schemas')
@Controller('content-schemas')
export class ContentSchemasController {
  constructor(private readonly schemas: ContentSchemasService) {}

  /**
   * Lists content schemas.
   *
   * The newest come first. Inactive schemas are listed only with `tpl_active=false`.
   */
  @Get()
  @Policy({ any: ['content:view'] })
  @Returns(ContentSchemaPage, 'A page of content schemas.')
  list(@Caller() caller: Principal, @Query() query: ListContentSchemas): Promise<Page<SchemaRow>> {
    return this.schemas.list(caller, query);
  }

  /**
   * Creates a content schema in a library.
   *
   * `tpl_config` is written in the form language, with the field types of content such as `blocks`, `doc`, `link` and
   * `asset`; every error in it is reported with its path. Fields with `localized: true` have values of their own in
   * other locales. Schemas cannot be added to the library Standard (409). A library can have at most 500 active schemas.
   */
  @Post()
  @Policy({ all: ['content:schema:edit'] })
  @Creates(ContentSchemaView, 'content-schemas/{tpl_id}')
  @Problems('already_exists', 'invalid_state', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateContentSchema): Promise<VersionedSchemaRow> {
    return this.schemas.create(caller, body);
  }

  /** Reads a content schema. */
  @Get(':id')
  @Policy({ any: ['content:view'] })
  @HasId('id', 'Id of the content schema.')
  @ReturnsState(ContentSchemaView, 'The content schema.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedSchemaRow> {
    return this.schemas.get(caller, id);
  }

  /**
   * Changes a content schema.
   *
   * Omitted fields stay as they are; `tpl_active: true` restores a deleted schema, which cannot be changed otherwise
   * (409). Drafts keep their values and follow a change of `tpl_config` in the background: a field with `renamed_from`
   * can be read under its new key immediately, in every locale, and a removed field is hidden until it is added again.
   * A change that would lose values is rejected with their number (409 `in_use`). Published pages stay as they are. New
   * required fields appear in `node_issues` of existing pages.
   */
  @Patch(':id')
  @Policy({ all: ['content:schema:edit'] })
  @HasId('id', 'Id of the content schema.')
  @HonoursIfMatch()
  @ReturnsState(ContentSchemaView, 'The content schema.')
  @Problems('already_exists', 'in_use', 'invalid_state', 'limit_reached', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeContentSchema,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedSchemaRow> {
    return this.schemas.change(caller, id, body, precondition);
  }

  /**
   * Deactivates a content schema.
   *
   * It is returned with `tpl_active` false from then on. Pages keep their blocks of the schema, and new ones are
   * rejected.
   */
  @Delete(':id')
  @Policy({ all: ['content:schema:edit'] })
  @HasId('id', 'Id of the content schema.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.schemas.deactivate(id, precondition);
  }
}
