import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FormRow, VersionedFormRow } from '@atrium/forms';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { SchemasService } from '../application/schemas.service';
import {
  ChangeRecordSchema,
  CreateRecordSchema,
  ForkRecordSchema,
  ListRecordSchemas,
  RecordSchemaPage,
  RecordSchemaView,
} from './schemas.dto';

@ApiTags('Knowledge base schemas')
@Controller('knowledge-base-schemas')
export class SchemasController {
  constructor(private readonly schemas: SchemasService) {}

  /**
   * Lists record schemas: those of the workspace and the standard templates.
   */
  @Get()
  @Named('listRecordSchemas')
  @Policy({ any: ['knowledge-base:view'] })
  @Returns(RecordSchemaPage, 'A page of schemas.')
  list(@Query() query: ListRecordSchemas): Promise<Page<FormRow>> {
    return this.schemas.list(query);
  }

  /**
   * Creates a record schema.
   *
   * `form_config` is written in the form language; every error in it is reported with its path. Fails with 409 if an
   * active schema has the same name.
   */
  @Post()
  @Named('createRecordSchema')
  @Policy({ all: ['knowledge-base:schema:edit'] })
  @Creates(RecordSchemaView, 'knowledge-base-schemas/{form_id}')
  @Problems('already_exists')
  create(@FromBody() body: CreateRecordSchema): Promise<VersionedFormRow> {
    return this.schemas.create(body);
  }

  /**
   * Reads a record schema.
   */
  @Get(':id')
  @Named('readRecordSchema')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the schema.')
  @ReturnsState(RecordSchemaView, 'The schema.')
  get(@PathId() id: string): Promise<VersionedFormRow> {
    return this.schemas.get(id);
  }

  /**
   * Changes a record schema.
   *
   * Stored records are migrated to the new configuration in the background (`form_migration`). A change that would
   * lose values is rejected with their number, and so is a change while records are still being migrated. Managed
   * schemas, such as the standard templates, are read-only; fork them instead. A deleted schema cannot be changed (409)
   * unless the request restores it with `form_active: true`.
   */
  @Patch(':id')
  @Named('updateRecordSchema')
  @Policy({ all: ['knowledge-base:schema:edit'] })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @ReturnsState(RecordSchemaView, 'The schema.')
  @Problems('already_exists', 'in_use', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeRecordSchema,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedFormRow> {
    return this.schemas.change(caller, id, body, precondition);
  }

  /**
   * Deactivates a record schema.
   *
   * Its records are kept and can be found, but their content cannot be changed until the schema is active again.
   */
  @Delete(':id')
  @Named('deleteRecordSchema')
  @Policy({ all: ['knowledge-base:schema:edit'] })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.schemas.deactivate(id, precondition);
  }
}

@ApiTags('Knowledge bases')
@Controller('knowledge-bases/:id/schema')
export class SchemaForksController {
  constructor(private readonly schemas: SchemasService) {}

  /**
   * Forks the schema of a knowledge base.
   *
   * Creates a copy that belongs to the workspace; the base and all its records use the copy from then on. Fails with
   * 409 for a text base, for a schema that already belongs to the workspace, and for a template used by a screen of
   * the product.
   *
   * If the base has more than 1,000 records, they are moved to the copy in the background (`form_migration`). They
   * can be read and written in the meantime; lists can use the fields of the schema, and the schema can be changed,
   * once all are moved.
   */
  @Post('fork')
  @Named('forkRecordSchema')
  @Policy({ all: ['knowledge-base:edit', 'knowledge-base:schema:edit'] })
  @HasId('id', 'Id of the knowledge base.')
  @Creates(RecordSchemaView, 'knowledge-base-schemas/{form_id}')
  @Problems('already_exists', 'invalid_state')
  fork(@Caller() caller: Principal, @PathId() id: string, @FromBody() { form_name }: ForkRecordSchema): Promise<VersionedFormRow> {
    return this.schemas.forkSchema(caller, id, form_name);
  }
}
