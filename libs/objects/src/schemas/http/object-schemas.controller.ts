import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FormRow } from '@atrium/forms';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { ObjectSchemasService, type SchemaDetails } from '../application/object-schemas.service';
import {
  ChangeObjectSchema,
  CreateObjectSchema,
  ListObjectSchemas,
  ObjectSchemaDetails,
  ObjectSchemaPage,
  ObjectSchemaView,
  ReadObjectSchema,
} from './object-schemas.dto';

const LICENSE = 'module-objects';

@ApiTags('Object schemas')
@Controller('object-schemas')
export class ObjectSchemasController {
  constructor(private readonly schemas: ObjectSchemasService) {}

  /**
   * Lists object schemas.
   *
   * The newest come first. Inactive schemas are listed only with `form_active=false`.
   */
  @Get()
  @Named('listObjectSchemas')
  @Policy({ any: ['object:view'], license: LICENSE })
  @Returns(ObjectSchemaPage, 'A page of schemas.')
  list(@Query() query: ListObjectSchemas): Promise<Page<FormRow>> {
    return this.schemas.list(query);
  }

  /**
   * Creates an object schema.
   *
   * `form_config` is written in the form language; every error in it is reported with its path. Without
   * `form_config`, the objects have no fields. In `form_metadata`, `retrieval: true` makes the objects available to
   * passage searches, and `acl` is the access list of new objects. Fails with 409 if an active schema has the same
   * name.
   */
  @Post()
  @Named('createObjectSchema')
  @Policy({ all: ['object:schema:edit'], license: LICENSE })
  @Creates(ObjectSchemaView, 'object-schemas/{form_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreateObjectSchema): Promise<SchemaDetails> {
    return this.schemas.create(caller, body);
  }

  /**
   * Reads an object schema.
   *
   * `compiled=true` adds a JSON Schema of the stored content.
   */
  @Get(':id')
  @Named('readObjectSchema')
  @Policy({ any: ['object:view'], license: LICENSE })
  @HasId('id', 'Id of the schema.')
  @ReturnsState(ObjectSchemaDetails, 'The schema.')
  get(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadObjectSchema): Promise<SchemaDetails> {
    return this.schemas.get(caller, id, query);
  }

  /**
   * Changes an object schema.
   *
   * Stored objects keep their values and are migrated in the background (`form_migration`): a field with
   * `renamed_from` can be read under its new key immediately, and a removed field is hidden until it is added again.
   * A change that would lose values is rejected with their number, and so is a change while objects are still being
   * migrated. Stricter rules apply the next time an object is changed. A deleted schema cannot be changed (409) unless
   * the request restores it with `form_active: true`.
   */
  @Patch(':id')
  @Named('updateObjectSchema')
  @Policy({ all: ['object:schema:edit'], license: LICENSE })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @ReturnsState(ObjectSchemaView, 'The schema.')
  @Problems('already_exists', 'in_use', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeObjectSchema,
    @IfMatch() precondition?: Precondition,
  ): Promise<SchemaDetails> {
    return this.schemas.change(caller, id, body, precondition);
  }

  /**
   * Deactivates an object schema.
   *
   * Its objects are kept and can be found. Their content cannot be changed until the schema is active again or they
   * are given another schema.
   */
  @Delete(':id')
  @Named('deleteObjectSchema')
  @Policy({ all: ['object:schema:edit'], license: LICENSE })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.schemas.deactivate(id, precondition);
  }
}
