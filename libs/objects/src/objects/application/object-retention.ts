import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormRows, FormValues, type OpenForm, type PointingField } from '@atrium/forms';
import { RetentionTargets, type RemovedBatch } from '@atrium/governance';
import { storedOf } from '../domain/stored-object';
import { DeletedObjectRows } from '../infrastructure/deleted-objects.rows';
import { ObjectStore } from '../infrastructure/object-store';
import { ObjectIndex } from './object-index';
import { withoutReferences } from './object-references';
import { ObjectShaping } from './object-shaping';

const POINTERS_AT_ONCE = 500;

/** Deleted objects may be restored for as long as the workspace says; then they go, and with them the references to them. */
@Injectable()
export class ObjectRetention implements OnModuleInit {
  constructor(
    private readonly rows: DeletedObjectRows,
    private readonly targets: RetentionTargets,
    private readonly forms: FormRows,
    private readonly values: FormValues,
    private readonly store: ObjectStore,
    private readonly shaping: ObjectShaping,
    private readonly index: ObjectIndex,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'objects',
      countDue: (before) => this.rows.countDue(before),
      findHeldRows: (before, most) => this.rows.findHeldRows(before, most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  /** References first, a bounded number a batch: an object goes once nothing names it any more. */
  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const ids = await this.rows.lockDue(before, batch);
    if (ids.length === 0) return { removed: 0, bytes: 0, left: false };
    if (await this.clearReferences(ids)) return { removed: 0, bytes: 0, left: true };
    await this.values.removeRows(ids);
    await this.index.forgetObjects(ids);
    await this.rows.deleteObjects(ids);
    return { removed: ids.length, bytes: 0, left: ids.length === batch };
  }

  /** Takes the ids out of the objects that refer to them; whether there may be more. */
  private async clearReferences(ids: readonly string[]): Promise<boolean> {
    const pointing = await this.values.listPointingFields(ids);
    const forms = await this.forms.openAll('object', [...new Set(pointing.map(({ form_id }) => form_id))], 'share');
    for (const field of pointing) {
      const form = forms.get(field.form_id);
      if (form?.compiled.field(field.field_key)?.type.reference !== 'object') continue;
      if ((await this.clearField(form, field, ids)) === POINTERS_AT_ONCE) return true;
    }
    return false;
  }

  private async clearField(form: OpenForm, field: PointingField, ids: readonly string[]): Promise<number> {
    const gone = new Set(ids);
    const pointers = await this.values.findPointers(ids, POINTERS_AT_ONCE, field);
    const objects = await this.store.lockMany([...new Set(pointers.map(({ owner_id }) => owner_id))].filter((id) => !gone.has(id)));
    const cleared = objects.map((object) => {
      const obj_content = withoutReferences(object.obj_content, form.compiled.fields, (id) => gone.has(id));
      return { object, written: this.shaping.toWritten(form, object.obj_id, object, { ...storedOf(object), obj_content }) };
    });
    await this.store.saveMigrated(cleared.map(({ written }) => written));
    await this.values.tryIndexRows(
      form,
      cleared.map(({ object, written }) => ({
        owner_id: object.obj_id,
        content: written.obj_content,
        beside: { $terms: object.obj_terms },
        claims: object.obj_active,
      })),
    );
    await this.index.indexObjects(
      form,
      cleared.filter(({ object }) => object.obj_active).map(({ written }) => written),
    );
    // What cannot be cleared, such as a value that a rename is still to move, keeps no batch going for ever.
    const changed = cleared.some(({ object, written }) => !isDeepStrictEqual(object.obj_content, written.obj_content));
    return changed ? pointers.length : 0;
  }
}
