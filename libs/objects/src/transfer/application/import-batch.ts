import { Injectable } from '@nestjs/common';
import { FormValues, type NamedReferences, type OpenForm } from '@atrium/forms';
import { columnOfFault, missingKey, repeatedKey, unreadableRow, type RowFaults } from '@atrium/imports';
import { ACL_LEVELS, aclLevel, type Principal } from '@atrium/platform/access';
import { LoopTurns, normalized, type FieldFault } from '@atrium/platform/kernel';
import type { TableRecord } from '@atrium/platform/tabular';
import { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectFacts } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import type { ObjectImport } from '../domain/object-import';
import { EXTERNAL_ID, OBJECT_ROWS } from './object-columns';
import type { ImportCounts } from '../infrastructure/imports.rows';
import type { ImportReading } from './import-reading';

/** What is known of a table before anything of it is written: for each key the last row that has it, which counts. */
export type LastRows = ReadonlyMap<string, number>;

/** Rows to be written, and how. */
export interface Batch {
  readonly order: ObjectImport;
  readonly reading: ImportReading;
  readonly last: LastRows;
  readonly rows: readonly TableRecord[];
}

export interface WrittenBatch extends ImportCounts {
  readonly refused: readonly RowFaults[];
}

/** A row as it is to be written. */
interface Entry {
  readonly row: number;
  readonly facts: ObjectFacts;
  readonly key: string | null;
}

/** Rows as they are to be written, and those that could not be read. */
export interface ReadBatch extends Pick<Batch, 'order' | 'reading'> {
  readonly entries: readonly Entry[];
  readonly refused: readonly RowFaults[];
}

/** Writes some rows of an import, each for itself: those that are not valid are refused and the others are written. */
@Injectable()
export class ImportBatches {
  constructor(
    private readonly store: ObjectStore,
    private readonly writes: ObjectWrites,
    private readonly values: FormValues,
  ) {}

  /** Reads rows in turns with other work, so outside of the unit of work of the step where there is a choice. */
  async read(batch: Batch, acting: Principal): Promise<ReadBatch> {
    const { order, reading, rows } = batch;
    const refused: RowFaults[] = [];
    const entries: Entry[] = [];
    const named = await reading.namesIn(rows, acting);
    const turns = new LoopTurns();
    for (const row of rows) {
      if (turns.isOver) await turns.next();
      const read = this.readRow(batch, row, named);
      if ('faults' in read) refused.push({ row: row.number, faults: read.faults });
      else entries.push(read);
    }
    return { order, reading, entries, refused };
  }

  /** Within the unit of work of the step, which holds the schema. */
  async write(form: OpenForm, batch: ReadBatch, acting: Principal): Promise<WrittenBatch> {
    const { order, entries } = batch;
    const refused = [...batch.refused];
    const known = order.mode === 'upsert' ? await this.known(form, batch) : new Map<string, WorkspaceObject>();
    const fresh = entries.filter(({ key }) => key === null || !known.has(key));
    const changed: (Entry & { readonly object: WorkspaceObject })[] = [];
    for (const entry of entries) {
      const object = entry.key === null ? undefined : known.get(entry.key);
      if (!object) continue;
      if (mayEdit(object, acting)) changed.push({ ...entry, object });
      else refused.push({ row: entry.row, faults: [notYours(batch)] });
    }
    const act = { by: acting, trusted: true } as const;
    const created = await this.writes.apply(
      form,
      fresh.map(({ facts }) => ({ op: 'create' as const, facts })),
      { ...act, action: 'created' },
    );
    const updated = await this.writes.apply(
      form,
      changed.map(({ object, facts }) => ({ op: 'update' as const, object, facts })),
      { ...act, action: 'updated' },
    );
    const outcomes = [...created, ...updated];
    for (const [at, { row }] of [...fresh, ...changed].entries()) {
      const outcome = outcomes[at];
      if (outcome?.action === 'refused')
        refused.push({ row, faults: outcome.faults.map((fault) => columnOfFault(OBJECT_ROWS, fault, batch.reading.mapping)) });
    }
    const count = (action: (typeof outcomes)[number]['action']): number => outcomes.filter((one) => one.action === action).length;
    return { created: count('created'), updated: count('updated'), unchanged: count('unchanged'), failed: refused.length, refused };
  }

  private readRow(
    { order, reading, last }: Batch,
    { number, values, fault }: TableRecord,
    named: NamedReferences,
  ): Entry | { readonly faults: readonly FieldFault[] } {
    if (fault !== undefined) return { faults: [unreadableRow(fault)] };
    const read = reading.reader.read(values, named);
    if (!read.facts) return { faults: read.faults };
    if (order.mode === 'insert') return { row: number, facts: read.facts, key: null };
    const key = reading.keyOf(reading.valueOf(read.facts));
    const { key: by = EXTERNAL_ID } = order;
    if (key === null) return { faults: [missingKey(by, reading.mapping)] };
    const counted = last.get(key);
    if (counted !== undefined && counted !== number) return { faults: [repeatedKey(by, reading.mapping, counted)] };
    return { row: number, facts: read.facts, key };
  }

  /** The objects that are there for the keys, locked. */
  private async known(form: OpenForm, { order, reading, entries }: ReadBatch): Promise<ReadonlyMap<string, WorkspaceObject>> {
    const keys = entries.flatMap(({ facts }) => reading.valueOf(facts) ?? []);
    if (keys.length === 0) return new Map();
    if ((order.key ?? EXTERNAL_ID) === EXTERNAL_ID) {
      const found = await this.store.byExternalIds(null, form.form_id, keys.map(String));
      const keyed = found.map((object) => [JSON.stringify(normalized(object.obj_external_id ?? '', 'NFC')), object] as const);
      const isOneForm = ([key, { obj_external_id }]: (typeof keyed)[number]): boolean => key === JSON.stringify(obj_external_id);
      // Of two that were stored before ids had one form, the one that has it.
      return new Map([...keyed.filter((one) => !isOneForm(one)), ...keyed.filter(isOneForm)]);
    }
    const owners = await this.values.owners(form, order.key ?? '', keys);
    const byId = new Map((await this.store.lockMany([...owners.values()])).map((object) => [object.obj_id, object]));
    return new Map(
      [...owners].flatMap(([value, id]) => {
        const object = byId.get(id);
        const found = reading.keyOf(value);
        return found !== null && object?.obj_active && object.obj_form === form.form_id ? [[found, object] as const] : [];
      }),
    );
  }
}

const mayEdit = ({ obj_acl }: WorkspaceObject, acting: Principal): boolean =>
  (aclLevel(obj_acl, acting) ?? ACL_LEVELS.owner) >= ACL_LEVELS.edit;

const notYours = ({ reading, order: { key = EXTERNAL_ID } }: ReadBatch): FieldFault =>
  columnOfFault(
    OBJECT_ROWS,
    { path: key, code: 'permission_denied', message: 'Another object has this key, and you may not change it.' },
    reading.mapping,
  );
