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
   * The newest come first. Only objects that you can view are listed. With exactly one `obj_form`, `obj_content[key]`
   * filters and `sort=obj_content_<key>` sorts by filterable fields of the schema; objects without a value come last.
   * Without the permission object:edit, sensitive values are masked.
   */
  @Get()
  @Named('listObjects')
  @Policy({ any: ['object:view'], license: LICENSE })
  @Returns(ObjectPage, 'A page of objects.')
  @Problems('invalid_state')
  list(@Caller() caller: Principal, @Query() query: ListObjects): Promise<Page<ShownObject>> {
    return this.rows.listObjects(caller, query);
  }

  /**
   * Creates an object.
   *
   * `obj_content` must follow the schema; errors are reported with their path, such as `obj_content.price`. If the
   * schema has a title field, it determines the name of the object; otherwise `obj_name` is required. With an active
   * lifecycle flow, the object starts in its initial state. Fails with 409 if a unique value is already in use, and
   * while the schema is inactive.
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
   * Reads an object.
   *
   * A deleted object is returned with `obj_active` false as long as it can be restored.
   */
  @Get(':id')
  @Named('readObject')
  @Policy({ any: ['object:view'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @ReturnsState(ExpandedObjectView, 'The object.')
  get(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadObject): Promise<ExpandedObject> {
    return this.expansion.readExpanded(caller, id, query);
  }

  /**
   * Changes an object.
   *
   * Omitted fields stay as they are. `obj_content` is merged by key, and null removes a value. A request that changes
   * nothing creates no version. Changing a field of an object from a source locks the field: the source no longer
   * overwrites it. A different `obj_form` keeps the values of fields with the same key and a compatible type. Content
   * cannot be changed in a locked state or while the schema is inactive (409 `invalid_state`), and a deleted object not
   * until it is restored.
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
   * It can be restored for 30 days, or for as long as the workspace keeps deleted objects. References to it are
   * hidden immediately and shown again after it is restored. Fails with 409 `in_use` if objects refer to it in a
   * field with `on_delete: restrict`; the first of them are listed.
   */
  @Delete(':id')
  @Named('deleteObject')
  @Policy({ all: ['object:delete'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('in_use', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.objects.remove(caller, id, precondition);
  }

  /**
   * Restores a deleted object.
   *
   * Fails with 409 `already_exists` if another object now has one of its unique values, and with `invalid_state` if
   * it is not deleted.
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
   * The newest come first; the last 200 revisions are kept. Changes of fields that the schema no longer has are left
   * out. Sensitive values are masked as in the object.
   */
  @Get(':id/revisions')
  @Named('listObjectRevisions')
  @Policy({ any: ['object:view'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @Returns(ObjectRevisionPage, 'A page of revisions.')
  history(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListObjectRevisions): Promise<Page<RevisionRow>> {
    return this.revisions.listRevisions(caller, id, query);
  }

  /**
   * Releases a locked field.
   *
   * The next run of the source can overwrite the field again. Fails with 409 if the object was deleted.
   */
  @Delete(':id/locks/:key')
  @Named('unlockObjectField')
  @Policy({ all: ['object:edit'], license: LICENSE })
  @HasId('id', 'Id of the object.')
  @ApiParam({ name: 'key', description: 'Key of the field, or `obj_name`.', schema: { type: 'string', maxLength: 40 } })
  @HonoursIfMatch()
  @ReturnsState(ObjectView, 'The object.')
  @Problems('invalid_state', 'precondition_failed')
  unlock(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Param('key') key: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedObject> {
    return this.objects.unlockField(caller, id, key, precondition);
  }
}
