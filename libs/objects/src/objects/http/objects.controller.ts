import { Body as FromBody, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { ShownObject } from '../application/object-answers';
import { ObjectExpansion, type ExpandedObject } from '../application/object-expansion';
import { ObjectList, type VersionedObject } from '../application/object-list';
import { ObjectRevisions, type RevisionRow } from '../application/object-revisions';
import { ObjectsService } from '../application/objects.service';
import {
  ChangeObject,
  CreateObject,
  ExpandedObjectView,
  ListObjectRevisions,
  ListObjects,
  ObjectPage,
  ObjectRevisionPage,
  ObjectView,
  ReadObject,
} from './objects.dto';

const LICENSE = 'module-objects';

@ApiTags('Objects')
@Controller('objects')
export class ObjectsController {
  constructor(
    private readonly objects: ObjectsService,
    private readonly rows: ObjectList,
    private readonly expansion: ObjectExpansion,
    private readonly revisions: ObjectRevisions,
  ) {}

  /**
   * Lists objects.
   *
   * Newest first, only those that the caller may read. With one `obj_form`, `obj_content[key]` filters and
   * `sort=obj_content_<key>` sorts by filterable fields of its schema; objects without a value come last. Sensitive values
   * are masked for callers without the permission object:edit.
   */
  @Get()
  @Named('listObjects')
  @Policy({ any: ['object:view'], license: LICENSE })
  @Returns(ObjectPage, 'A page of objects.')
  @Problems('invalid_state')
  list(@Caller() caller: Principal, @Query() query: ListObjects): Promise<Page<ShownObject>> {
    return this.rows.list(caller, query);
  }

  /**
   * Creates an object.
   *
   * `obj_content` follows the schema; faults are named by their paths, such as `obj_content.price`. The title field of the
   * schema names the object; `obj_name` is required where it has none. With an active lifecycle flow the object begins in its
   * initial state. 409 when a unique value is taken, and while the schema is inactive.
   */
  @Post()
  @Named('createObject')
  @Policy({ all: ['object:create'], license: LICENSE })
  @Creates(ObjectView, 'objects/{obj_id}')
  @Problems('already_exists', 'invalid_state', 'payload_too_large')
  create(@Caller() caller: Principal, @FromBody() body: CreateObject): Promise<VersionedObject> {
    return this.objects.create(caller, body);
  }

  /**
   * Reads one object.
   */
  @Get(':id')
  @Named('readObject')
  @Policy({ any: ['object:view'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @ReturnsState(ExpandedObjectView, 'The object.')
  one(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadObject): Promise<ExpandedObject> {
    return this.expansion.read(caller, id, query);
  }

  /**
   * Changes an object.
   *
   * Only the fields present are applied; `obj_content` is merged by key, and null removes a value. A change that changes nothing
   * writes nothing. Fields that are changed on an object of a source are locked: the source no longer overwrites them. Another
   * `obj_form` keeps the values of equal keys whose types fit. 409 `invalid_state` for content in a locked state and while the
   * schema is inactive.
   */
  @Patch(':id')
  @Named('updateObject')
  @Policy({ all: ['object:edit'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @HonoursIfMatch()
  @ReturnsState(ObjectView, 'The object.')
  @Problems('already_exists', 'invalid_state', 'payload_too_large', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeObject,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedObject> {
    return this.objects.change(caller, id, body, precondition);
  }

  /**
   * Deletes an object.
   *
   * It may be restored for 30 days, or for as long as the workspace keeps deleted objects. References to it are left out of
   * reads at once and are back after the restore. 409 `in_use` names the first objects that refer to it by a field with
   * `on_delete: restrict`.
   */
  @Delete(':id')
  @Named('deleteObject')
  @Policy({ all: ['object:delete'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.objects.remove(caller, id, precondition);
  }

  /**
   * Restores a deleted object.
   *
   * 409 `already_exists` when another object has taken one of its unique values since, `invalid_state` when it is not deleted.
   */
  @Post(':id/restore')
  @Named('restoreObject')
  @Policy({ all: ['object:delete'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @ReturnsState(ObjectView, 'The object.')
  @Problems('already_exists', 'invalid_state')
  restore(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedObject> {
    return this.objects.restore(caller, id);
  }

  /**
   * Lists the revisions of an object.
   *
   * Newest first; the newest 200 are kept. Changes of fields that the schema no longer has are left out, sensitive values masked as
   * in the object.
   */
  @Get(':id/revisions')
  @Named('listObjectRevisions')
  @Policy({ any: ['object:view'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @Returns(ObjectRevisionPage, 'A page of revisions.')
  history(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListObjectRevisions): Promise<Page<RevisionRow>> {
    return this.revisions.list(caller, id, query);
  }

  /**
   * Releases a locked field.
   *
   * The next pass of the source may overwrite the field again.
   */
  @Delete(':id/locks/:key')
  @Named('unlockObjectField')
  @Policy({ all: ['object:edit'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @ApiParam({ name: 'key', description: 'Key of the field, or `obj_name`.', schema: { type: 'string', maxLength: 40 } })
  @HonoursIfMatch()
  @ReturnsState(ObjectView, 'The object.')
  @Problems('precondition_failed')
  unlock(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Param('key') key: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedObject> {
    return this.objects.unlock(caller, id, key, precondition);
  }
}
