import { Injectable } from '@nestjs/common';
import { FormRows, type OpenForm } from '@atrium/forms';
import { AclSubjects } from '@atrium/identity';
import { assertAclChange, assertAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, assertExact, invalidField, invalidState, notFound } from '@atrium/platform/kernel';
import type { ObjectFacts } from '../domain/object-change';
import type { WorkspaceObject } from '../domain/workspace-object';
import { ObjectStore } from '../infrastructure/object-store';
import { DeletedObjects } from './deleted-objects';
import { ObjectList, type VersionedObject } from './object-list';
import { requireWritten } from './object-problems';
import { ObjectWrites } from './object-writes';

/** What a client says of an object. */
export interface ObjectWish extends Pick<
  ObjectFacts,
  'obj_name' | 'obj_content' | 'obj_terms' | 'obj_cover_file' | 'obj_acl' | 'obj_metadata'
> {
  readonly obj_form?: string;
}

/** Single objects as clients write them. */
@Injectable()
export class ObjectsService {
  constructor(
    private readonly db: Database,
    private readonly forms: FormRows,
    private readonly store: ObjectStore,
    private readonly writes: ObjectWrites,
    private readonly rows: ObjectList,
    private readonly deleted: DeletedObjects,
    private readonly subjects: AclSubjects,
    private readonly clock: Clock,
  ) {}

  create(caller: Principal, { obj_form, ...facts }: ObjectWish & { readonly obj_form: string }): Promise<VersionedObject> {
    return this.translatingNameConflicts(async () => {
      assertExact('obj_content', facts.obj_content);
      assertExact('obj_metadata', facts.obj_metadata);
      const form = await this.form(obj_form);
      const obj_acl = facts.obj_acl && (await this.subjects.validateSubjects('obj_acl', facts.obj_acl));
      const [outcome] = await this.writes.applyChanges(form, [{ op: 'create', facts: { ...facts, ...(obj_acl ? { obj_acl } : {}) } }], {
        by: caller,
        action: 'created',
      });
      return this.rows.readObject(caller, requireWritten(outcome), { written: true });
    });
  }

  change(caller: Principal, obj_id: string, { obj_form, ...wish }: ObjectWish, precondition?: Precondition): Promise<VersionedObject> {
    return this.translatingNameConflicts(async () => {
      const object = await this.store.lockToChange(obj_id, {}, precondition, async (row) => {
        await this.assertLevel(caller, row, 'edit');
        if (wish.obj_acl) assertAclChange(row.obj_acl, caller, NOUN);
      });
      assertExact('obj_content', wish.obj_content);
      assertExact('obj_metadata', wish.obj_metadata);
      const obj_acl = wish.obj_acl && (await this.subjects.validateSubjects('obj_acl', wish.obj_acl, { before: object.obj_acl }));
      const facts = obj_acl ? { ...wish, obj_acl } : wish;
      const form = await this.formFor(object, obj_form);
      const [outcome] = await this.writes.applyChanges(form, [{ op: 'update', object, facts }], { by: caller, action: 'updated' });
      return this.rows.readObject(caller, requireWritten(outcome), { written: true });
    });
  }

  remove(caller: Principal, obj_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const object = await this.store.lockToDelete(obj_id, precondition, (row) => this.assertLevel(caller, row, 'owner'));
      if (!object) return this.store.keepDeleted(obj_id);
      const form = await this.form(object.obj_form);
      const [outcome] = await this.writes.applyChanges(form, [{ op: 'deactivate', object }], { by: caller, action: 'updated' });
      requireWritten(outcome);
    });
  }

  /** As it was when it was deleted; 409 when somebody has taken its unique values since. */
  restore(caller: Principal, obj_id: string): Promise<VersionedObject> {
    return this.translatingNameConflicts(async () => {
      const object = await this.store.lock(obj_id, undefined, (row) => this.assertLevel(caller, row, 'owner'));
      if (object.obj_active) throw invalidState('The object is not deleted.');
      const form = await this.form(object.obj_form);
      const [outcome] = await this.writes.applyChanges(form, [{ op: 'revive', object }], { by: caller, action: 'restored' });
      return this.rows.readObject(caller, requireWritten(outcome), { written: true });
    });
  }

  /** The next pass of its source may write the field again. */
  unlockField(caller: Principal, obj_id: string, key: string, precondition?: Precondition): Promise<VersionedObject> {
    return this.db.write(async () => {
      const object = await this.store.lockToChange(obj_id, {}, precondition, (row) => this.assertLevel(caller, row, 'edit'));
      if (!object.obj_locked_fields.includes(key)) throw notFound('lock');
      object.unlock(key, this.clock, caller.user_id);
      await this.store.save(object);
      return this.rows.readObject(caller, obj_id);
    });
  }

  private async assertLevel(caller: Principal, object: WorkspaceObject, level: AclLevel): Promise<void> {
    await this.deleted.assertFindable(object);
    assertAclLevel(object.obj_acl, caller, level, NOUN);
  }

  /** Its own form, or the active one that it is to be pointed at. */
  private async formFor({ obj_form }: WorkspaceObject, wanted: string | undefined): Promise<OpenForm> {
    if (wanted === undefined || wanted.toLowerCase() === obj_form) return this.form(obj_form);
    const form = await this.form(wanted);
    if (!form.form_active) throw invalidState(`The schema ${form.form_name} is inactive. Choose an active schema.`);
    return form;
  }

  /** Kept from changing until the unit of work ends. */
  private async form(form_id: string): Promise<OpenForm> {
    const form = (await this.forms.openAll('object', [form_id.toLowerCase()], 'share')).get(form_id.toLowerCase());
    if (!form) throw invalidField('obj_form', 'must be the id of an object schema', 'reference');
    return form;
  }

  /** Of two that take one id elsewhere at once, the second one hears of it from the index. */
  private async translatingNameConflicts<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.db.write(work);
    } catch (error) {
      if (violatesConstraint(error, 'object_external') || violatesConstraint(error, 'object_of_source'))
        throw alreadyExists('obj_external_id', 'Another object already has this external id.');
      throw error;
    }
  }
}

const NOUN = 'object';
