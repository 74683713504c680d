import { Injectable } from '@nestjs/common';
import { Database, sql, type Sql } from '@atrium/platform/database';
import { Clock, invalidField, LoopTurns, Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ownValue, settingNumber, type Field } from '../domain/field';
import { isOpen } from '../domain/visible-fields';
import { applyMoves } from '../domain/moves';
import { indexEntries, referenceEntries, uniqueEntries, uniqueHash } from '../domain/value-index';
import { FormNumberRows } from '../infrastructure/form-numbers.rows';
import {
  FormValueRows,
  type IndexedOwner,
  type Pointer,
  type PointingField,
  type Referrer,
  type TakenValue,
} from '../infrastructure/form-values.rows';
import type { IndexedForm, OpenForm } from './open-form';
import { normalValue } from '../domain/content-check';

/** A row whose values are to be found. */
export interface IndexedRow {
  readonly owner_id: string;
  readonly content: JsonObject;
  /** References that are no field, such as `$terms`. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  /** False where its unique values are free for others. */
  readonly claims?: boolean;
  /** What its unique values are unique in, where it is less than all rows of the form: the id of a base. */
  readonly within?: string | null;
}

/** The values of rows as lists find them: the index, values that are unique, automatic numbers. Everything happens within the open unit of work of the row. */
@Injectable()
export class FormValues {
  constructor(
    private readonly db: Database,
    private readonly rows: FormValueRows,
    private readonly numbers: FormNumberRows,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes what lists find of rows; `fresh` for rows that were made in this unit of work. A unique value that another row has
   * is `already_exists`, naming the field below `at`.
   */
  async indexRows(
    form: IndexedForm,
    rows: readonly IndexedRow[],
    { fresh = false, at = 'content' }: { readonly fresh?: boolean; readonly at?: string } = {},
  ): Promise<void> {
    const [taken] = await this.tryIndexRows(form, rows, { fresh });
    if (!taken) return;
    const label = form.compiled.field(taken.field_key)?.label ?? taken.field_key;
    const message = `${label} has a value that another row already has.`;
    throw new Problem('already_exists', message, { errors: [{ path: `${at}.${taken.field_key}`, code: 'unique', message }] });
  }

  /** The same, answering the values that were taken already instead: for rows of which many are written, each for itself. */
  async tryIndexRows(
    form: IndexedForm,
    rows: readonly IndexedRow[],
    { fresh = false }: { readonly fresh?: boolean } = {},
  ): Promise<readonly TakenValue[]> {
    const owners = rows.map((row) => ownerOf(form, row));
    await this.rows.replaceIndex(form.form_id, owners, { fresh });
    const claiming = form.compiled.all.some(({ unique }) => unique);
    return claiming || !fresh ? this.rows.claimValues(form.form_id, owners, { fresh }) : [];
  }

  /** Writes again what is found of rows that another release wrote; claims to unique values that another row has are left as they are. */
  async refoldRows(form: OpenForm, rows: readonly IndexedRow[]): Promise<void> {
    const owners = rows.map((row) => ownerOf(form, row));
    await this.rows.replaceIndex(form.form_id, owners, { fresh: false });
    await this.rows.refoldClaims(form.form_id, owners);
  }

  /** Rows that are gone are found no more. */
  removeRows(owner_ids: readonly string[]): Promise<void> {
    return this.rows.removeRows(owner_ids, { values: true });
  }

  /** Frees the unique values of rows that are deleted and may be restored; `indexRows` takes them again. */
  freeUniqueValues(owner_ids: readonly string[]): Promise<void> {
    return this.rows.removeRows(owner_ids, { values: false });
  }

  /**
   * Rows change from one form to another with the same fields: what lists find of them, their unique values and the next
   * automatic numbers go along. `findOwners` selects their ids.
   */
  async moveRows(from: string, to: string, owners: Sql): Promise<void> {
    await this.rows.moveValues(from, to, owners);
    await this.moveUniqueValues(from, to, owners);
  }

  /** The same where rows and what lists find of them follow later: nobody takes a unique value or a number in the meantime that is one of theirs. */
  async moveUniqueValues(from: string, to: string, owners: Sql): Promise<void> {
    await this.rows.moveClaims(from, to, owners);
    await this.numbers.copyCounters(from, to);
  }

  /** What refers to any of the ids, by fields and beside them, or by one field alone; at most so many. */
  findPointers(ids: readonly string[], most: number, by?: PointingField): Promise<readonly Pointer[]> {
    return this.db.read(() => this.rows.findPointers(ids, most, by));
  }

  /** The fields by which anything refers to any of the ids, and beside fields such keys as `$terms`. */
  listPointingFields(ids: readonly string[]): Promise<readonly PointingField[]> {
    return this.db.read(() => this.rows.listPointingFields(ids));
  }

  /**
   * How many places refer to each of the ids, regardless of who may read them; none is counted further than `most`. Rows that are deleted and may be
   * restored count. What is shown to somebody is counted by `SeenUses`.
   */
  async countUses(ids: readonly string[], most: number): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const found = await this.db.read(() => this.rows.countUses(ids, most, sql`true`));
    return new Map(found.map(({ id, uses }) => [id, uses]));
  }

  /** The same of those among the ids that are used; all of them together are counted no further than `most`. */
  async countAllUses(ids: readonly string[], most: number): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const found = await this.db.read(() => this.rows.countAllUses(ids, most));
    return new Map(found.map(({ id, uses }) => [id, uses]));
  }

  /** How many places of each of the rows refer to the id; rows without any are left out. */
  async countUsesByOwner(id: string, owner_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (owner_ids.length === 0) return new Map();
    const found = await this.db.read(() => this.rows.countUsesByOwner(id, owner_ids));
    return new Map(found.map(({ owner_id, uses }) => [owner_id, uses]));
  }

  /** The places that refer to the id, page by page: begin the next one behind the last of these. */
  findReferrers(id: string, after: Referrer | null, most: number): Promise<readonly Referrer[]> {
    return this.db.read(() => this.rows.findReferrers(id, after, most));
  }

  /** The rows that have these values of a unique field, by the values as they are said: those that are worth the same name one row. */
  async findOwners(
    form: OpenForm,
    key: string,
    values: readonly JsonValue[],
    within: string | null = null,
  ): Promise<ReadonlyMap<JsonValue, string>> {
    const field = form.compiled.field(key);
    if (!field?.unique) throw invalidField('key', 'must be a unique field', 'option');
    const [owners = new Map<JsonValue, string>()] = await this.ownersBy(form, [field], values, within);
    return owners;
  }

  /** The rows that texts name by unique fields that everybody may read: for each field the rows by the texts. */
  findKeyedRows(form: OpenForm, texts: readonly string[], within: string | null = null): Promise<readonly ReadonlyMap<unknown, string>[]> {
    const fields = form.compiled.all.filter((field) => field.unique && !field.in_list && isOpen(field));
    return fields.length === 0 ? Promise.resolve([]) : this.ownersBy(form, fields, texts, within);
  }

  /** One statement for all of the fields: for each the rows by its values. */
  private async ownersBy(
    form: OpenForm,
    fields: readonly Field[],
    values: readonly JsonValue[],
    within: string | null,
  ): Promise<readonly ReadonlyMap<JsonValue, string>[]> {
    const now = this.clock.now();
    const turns = new LoopTurns();
    const hashed: { readonly field: Field; readonly hashes: readonly string[] }[] = [];
    for (const field of fields) {
      const hashes: string[] = [];
      for (const value of values) {
        if (turns.isOver) await turns.awaitNextTurn();
        hashes.push(uniqueHash(field, normalValue(field, value, now)));
      }
      hashed.push({ field, hashes });
    }
    const asked = { form_id: form.form_id, field_keys: fields.map(({ path }) => path), within };
    const hashes = [...new Set(hashed.flatMap((one) => one.hashes))];
    const found = await this.db.read(() => this.rows.findOwners(asked, hashes));
    const owners = new Map(found.map(({ field_key, value_hash, owner_id }) => [`${field_key} ${value_hash}`, owner_id]));
    return hashed.map(
      ({ field, hashes: of }) =>
        new Map(
          values.flatMap((value, at): [JsonValue, string][] => {
            const owner = owners.get(`${field.path} ${of[at] ?? ''}`);
            return owner === undefined ? [] : [[value, owner]];
          }),
        ),
    );
  }

  /**
   * Contents with the automatic numbers that they lack, in their order. It is the last thing to do before rows are written:
   * from then on others that need a number wait.
   */
  async assignNumbers(form: OpenForm, contents: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    let numbered = contents;
    for (const field of form.compiled.fields.filter(({ type }) => type.name === 'auto_number')) {
      const lacking = numbered.filter((content) => ownValue(content, field.key) === undefined).length;
      if (lacking === 0) continue;
      const numbers = (await this.numbers.takeNumbers(form.form_id, field.key, settingNumber(field, 'start') ?? 1, lacking)).values();
      numbered = numbered.map((content) =>
        ownValue(content, field.key) === undefined ? { ...content, [field.key]: numbers.next().value ?? null } : content,
      );
    }
    return numbered;
  }
}

function ownerOf(form: IndexedForm, { owner_id, content, beside = {}, claims = true, within = null }: IndexedRow): IndexedOwner {
  const stored = applyMoves(content, form.compiled.moves);
  const extra = Object.entries(beside).flatMap(([key, ids]) => referenceEntries(key, ids));
  return {
    owner_id,
    within,
    entries: [...indexEntries(form.compiled, stored), ...extra],
    uniques: claims ? uniqueEntries(form.compiled, stored) : [],
  };
}
