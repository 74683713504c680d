import { Injectable } from '@nestjs/common';
import { FormValues, type OpenForm } from '@atrium/forms';
import { keyValueOf, type ImportEntry, type ImportTarget, type KnownTable, type OpenColumns, type WrittenEntry } from '@atrium/imports';
import { ACL_LEVELS, aclLevel, type Principal } from '@atrium/platform/access';
import { normalized, type FieldFault } from '@atrium/platform/kernel';
import { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectFacts } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import { ImportReadings } from './import-reading';
import { EXTERNAL_ID, OBJECT_ROWS } from './object-columns';
import type { ObjectImport } from '../infrastructure/imports.rows';

type Entry = ImportEntry<ObjectFacts>;

/** How the batches of one import are written. */
interface Batch {
  readonly order: ObjectImport;
  readonly columns: OpenColumns;
}

/** Objects as the rows of a table become them, each for itself: those that are not valid are refused and the others are written. */
@Injectable()
export class ObjectTargets {
  constructor(
    private readonly readings: ImportReadings,
    private readonly store: ObjectStore,
    private readonly writes: ObjectWrites,
    private readonly values: FormValues,
  ) {}

  /** Within a unit of work. */
  async openTarget(table: KnownTable, order: ObjectImport): Promise<ImportTarget<ObjectFacts>> {
    const { columns, reader } = await this.readings.openReading(await this.readings.openSchema(order.obj_form), table, order);
    return {
      ...columns,
      kind: OBJECT_ROWS,
      readRow: (values, named) => reader.readRow(values, named),
      writeBatch: async (entries, acting) =>
        this.write(await this.readings.openSchema(order.obj_form, 'share'), { order, columns }, entries, acting),
      findForm: () => this.readings.openSchema(order.obj_form),
    };
  }

  /** Within the unit of work of the step, which holds the schema. */
  private async write(form: OpenForm, batch: Batch, entries: readonly Entry[], acting: Principal): Promise<readonly WrittenEntry[]> {
    const known = batch.order.mode === 'upsert' ? await this.known(form, batch, entries) : new Map<string, WorkspaceObject>();
    const fresh = entries.filter(({ key }) => key === null || !known.has(key));
    const changed: (Entry & { readonly object: WorkspaceObject })[] = [];
    const written = new Map<number, WrittenEntry>();
    for (const entry of entries) {
      const object = entry.key === null ? undefined : known.get(entry.key);
      if (!object) continue;
      if (mayEdit(object, acting)) changed.push({ ...entry, object });
      else written.set(entry.row, { outcome: 'refused', issues: [notYours(batch.order)] });
    }
    const act = { by: acting, trusted: true } as const;
    const created = await this.writes.applyChanges(
      form,
      fresh.map(({ wish: facts }) => ({ op: 'create' as const, facts })),
      { ...act, action: 'created' },
    );
    const updated = await this.writes.applyChanges(
      form,
      changed.map(({ object, wish: facts }) => ({ op: 'update' as const, object, facts })),
      { ...act, action: 'updated' },
    );
    const outcomes = [...created, ...updated];
    for (const [at, { row }] of [...fresh, ...changed].entries()) {
      const outcome = outcomes[at];
      if (outcome?.action === 'refused') written.set(row, { outcome: 'refused', issues: outcome.faults });
      else if (outcome) written.set(row, { outcome: ACTIONS[outcome.action] });
    }
    return entries.flatMap(({ row }) => written.get(row) ?? []);
  }

  /** The objects that are there for the keys, locked. */
  private async known(form: OpenForm, { order, columns }: Batch, entries: readonly Entry[]): Promise<ReadonlyMap<string, WorkspaceObject>> {
    const keys = entries.flatMap(({ wish }) => keyValueOf(OBJECT_ROWS, wish, order.key) ?? []);
    if (keys.length === 0) return new Map();
    if ((order.key ?? EXTERNAL_ID) === EXTERNAL_ID) {
      const found = await this.store.listByExternalIds(null, form.form_id, keys.map(String));
      const keyed = found.map((object) => [JSON.stringify(normalized(object.obj_external_id ?? '', 'NFC')), object] as const);
      const isOneForm = ([key, { obj_external_id }]: (typeof keyed)[number]): boolean => key === JSON.stringify(obj_external_id);
      // Of two that were stored before ids had one form, the one that has it.
      return new Map([...keyed.filter((one) => !isOneForm(one)), ...keyed.filter(isOneForm)]);
    }
    const owners = await this.values.findOwners(form, order.key ?? '', keys);
    const byId = new Map((await this.store.lockMany([...owners.values()])).map((object) => [object.obj_id, object]));
    return new Map(
      [...owners].flatMap(([value, id]) => {
        const object = byId.get(id);
        const found = columns.keyOfValue(value);
        return found !== null && object?.obj_active && object.obj_form === form.form_id ? [[found, object] as const] : [];
      }),
    );
  }
}

/** An import deactivates nothing and revives nothing. */
const ACTIONS = { created: 'created', updated: 'updated', unchanged: 'unchanged', revived: 'updated', deactivated: 'updated' } as const;

const mayEdit = ({ obj_acl }: WorkspaceObject, acting: Principal): boolean =>
  (aclLevel(obj_acl, acting) ?? ACL_LEVELS.owner) >= ACL_LEVELS.edit;

const notYours = ({ key = EXTERNAL_ID }: ObjectImport): FieldFault => ({
  path: key,
  code: 'permission_denied',
  message: 'Another object has this key, and you may not change it.',
});
