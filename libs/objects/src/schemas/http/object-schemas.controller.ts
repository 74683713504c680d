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
   * Newest first; inactive ones are left out unless `form_active=false` asks for them.
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
   * `form_config` is read in the form language; every fault of it is named with its path. Without it objects have no fields.
   * In `form_metadata`, `retrieval: true` lets searches of passages find its objects, and `acl` is the access list of new
   * objects. 409 when an active schema has the name.
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
   * Reads one object schema.
   *
   * `compiled=true` adds what its objects store as JSON Schema.
   */
  @Get(':id')
  @Named('readObjectSchema')
  @Policy({ any: ['object:view'], license: LICENSE })
  @HasId('id', 'Id of the schema.')
  @ReturnsState(ObjectSchemaDetails, 'The schema.')
  one(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadObjectSchema): Promise<SchemaDetails> {
    return this.schemas.one(caller, id, query);
  }

  /**
   * Changes an object schema.
   *
   * Stored objects keep their values and follow in the background (`form_migration`): a field with `renamed_from` is read under
   * its new key at once, a removed one is hidden and back when it is added again. A change that would lose values is refused with
   * their number, and so is one while objects still follow the change before. Stricter rules bind at the next write of an object.
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
   * Its objects stay and are found; their content is written again once the schema is active, or under another schema.
   */
  @Delete(':id')
  @Named('deleteObjectSchema')
  @Policy({ all: ['object:schema:edit'], license: LICENSE })
  @HasId('id', 'Id of the schema.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('invalid_state', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.schemas.deactivate(id, precondition);
  }
}
