import { notFound } from '@atrium/platform/kernel';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { ObjectLiteral } from 'typeorm';
import { requireScope } from './current-scope';
import type { Database } from './database';
import { deactivationOf, restores, wasDeleted, type Deactivation } from './deactivation';
import { fieldsOf, resourceOf, type Field, type TenantRow } from './fields';
import { assertCurrent, type Precondition } from './precondition';

/** Throws when the caller may not change the row; asked before `If-Match`, so that a stale tag reveals nothing of rows that the caller may not see. */
export type Admission<T> = (row: T) => void | Promise<void>;

type Constructor<T> = new () => T;

/**
 * Loads and saves one kind of aggregate. Every statement names the workspace besides the policy that enforces it;
 * `save` writes the columns that changed since loading, and nothing when none did. The statements are made here from the
 * declared fields: TypeORM's own builders cost more than the transaction around them (ADR 3).
 */
export abstract class ResourceRepository<T extends TenantRow & ObjectLiteral> {
  private readonly loaded = new WeakMap<T, readonly unknown[]>();
  private readonly id: string;
  private readonly table: string;
  private readonly stored: readonly Field[];
  private readonly columns: readonly string[];
  private readonly selection: string;
  private readonly stamps: readonly string[];
  private readonly forChange: Sql;
  private readonly deletion: Deactivation | undefined;

  protected constructor(
    protected readonly db: Database,
    private readonly type: Constructor<T>,
    private readonly noun: string,
    /** `alone`: nothing that refers to the row is written beside its change either; `beside`: who must not write below it keeps it (`lockShared`). */
    referrers: 'alone' | 'beside' = 'alone',
    /** A column that is written, but not read with the row. */
    unread?: string,
  ) {
    this.forChange = raw(referrers === 'alone' ? 'FOR UPDATE OF r' : 'FOR NO KEY UPDATE OF r');
    const { id, table } = resourceOf(type);
    this.deletion = deactivationOf(type);
    this.id = id;
    this.table = table;
    const columns = [...fieldsOf(type).values()].filter((field) => !field.computed);
    this.stored = columns.filter((field) => !field.generated);
    this.columns = ['tenant_id', 'row_version', ...columns.map((field) => field.name)].filter((name) => name !== unread);
    this.selection = this.columns.map((name) => `r."${name}"`).join(', ');
    this.stamps = columns.filter((field) => field.kind === 'stamp').map((field) => field.name);
  }

  /** The row locked for change, or `not_found`; a stale `If-Match` is `precondition_failed`. */
  async lock(id: string, precondition?: Precondition, admit?: Admission<T>): Promise<T> {
    return (await this.lockWith(id, empty, precondition, admit)).row;
  }

  /** The same for a change; a row that was deleted is `invalid_state`, unless the change restores it. */
  async lockToChange(id: string, change: object, precondition?: Precondition, admit?: Admission<T>): Promise<T> {
    const row = await this.lock(id, precondition, admit);
    if (!this.deletion || !restores(change, this.deletion)) this.assertActive(row);
    return row;
  }

  /** The same for a deletion; null if the row was deleted before: deleting it again changes nothing. */
  async lockToDelete(id: string, precondition?: Precondition, admit?: Admission<T>): Promise<T | null> {
    const row = await this.lock(id, precondition, admit);
    return this.isActive(row) ? row : null;
  }

  assertActive(row: T): void {
    if (this.deletion && !this.isActive(row)) throw wasDeleted(this.noun, this.deletion);
  }

  private isActive(row: T): boolean {
    return !this.deletion || this.value(row, this.deletion.flag) === true;
  }

  /** The same, with further select expressions (over `r`) answered beside it. */
  protected async lockWith<E extends object>(
    id: string,
    beside: Sql,
    precondition?: Precondition,
    admit?: Admission<T>,
  ): Promise<{ readonly row: T; readonly beside: E }> {
    const found = await this.load(id, beside, this.forChange);
    if (!found) throw notFound(this.noun);
    const row = this.hydrate(found);
    await admit?.(row);
    assertCurrent(precondition, row.row_version, this.noun);
    this.loaded.set(row, this.snapshot(row));
    return { row, beside: this.withoutColumns(found) as E };
  }

  /**
   * The row as it is, kept from being changed or deleted until the unit of work ends, while others may keep it as well: for
   * those who write below it. Null where there is none that the condition on `r` lets through.
   */
  protected async lockShared<E extends object>(
    id: string,
    beside: Sql,
    condition: Sql,
  ): Promise<{ readonly row: T; readonly beside: E } | null> {
    const found = await this.load(id, beside, sql`AND ${condition} FOR SHARE OF r`);
    return found ? { row: this.hydrate(found), beside: this.withoutColumns(found) as E } : null;
  }

  /** The rows among the ids locked for change, in the order of their ids, so that two such locks never wait for each other in a circle. */
  async lockMany(ids: readonly string[]): Promise<T[]> {
    const found = await this.db
      .current()
      .query<Record<string, unknown>>(
        sql`SELECT ${raw(this.selection)} FROM ${raw(`"${this.table}"`)} r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.${raw(`"${this.id}"`)} = ANY(${[...ids]}::uuid[]) ORDER BY r.${raw(`"${this.id}"`)} ${this.forChange}`,
      );
    return found.map((columns) => {
      const row = this.hydrate(columns);
      this.loaded.set(row, this.snapshot(row));
      return row;
    });
  }

  /** The row, or null; for reading, not for changing. */
  async findRow(id: string): Promise<T | null> {
    const found = await this.load(id, empty, empty);
    return found ? this.hydrate(found) : null;
  }

  /** Its statement goes on the wire at once, so that a read behind it sees the row. */
  async insert(row: T): Promise<T> {
    await this.db.current().execute(this.insertion(row));
    return row;
  }

  /** The same, sent together with the commit: for rows that nothing in this unit of work reads. */
  insertWithCommit(row: T): T {
    const insertion = this.insertion(row);
    this.db.current().beforeCommit(() => insertion);
    return row;
  }

  /** Writes what changed since `lock`; answers whether anything did. */
  async save(row: T): Promise<boolean> {
    const update = this.update(row);
    if (update) await this.db.current().execute(update);
    return update !== null;
  }

  /** The same, sent together with the commit: for changes that nothing in this unit of work reads any more. */
  saveWithCommit(row: T): boolean {
    const update = this.update(row);
    if (update) this.db.current().beforeCommit(() => update);
    return update !== null;
  }

  async remove(row: T): Promise<void> {
    await this.db
      .current()
      .execute(`DELETE FROM "${this.table}" WHERE tenant_id = $1 AND "${this.id}" = $2`, [
        requireScope().tenant_id,
        this.value(row, this.id),
      ]);
  }

  private insertion(row: T): Sql {
    row.tenant_id = requireScope().tenant_id;
    row.row_version = 1;
    const written = this.snapshot(row);
    this.loaded.set(row, written);
    const columns = this.stored.filter((field) => this.value(row, field.name) !== undefined);
    const names = ['tenant_id', 'row_version', ...columns.map((field) => field.name)];
    const values = [row.tenant_id, row.row_version, ...columns.map((field) => this.bound(row, field, written))];
    return sql`INSERT INTO ${raw(`"${this.table}" (${names.map((name) => `"${name}"`).join(', ')})`)} VALUES (${join(values)})`;
  }

  private update(row: T): Sql | null {
    const before = this.loaded.get(row);
    if (!before) throw new Error(`A ${this.noun} is saved only after it was locked or inserted.`);
    const after = this.snapshot(row);
    const changed = this.stored.filter((_, at) => before[at] !== after[at]);
    if (changed.length === 0) return null;
    row.row_version += 1;
    this.loaded.set(row, after);
    const columns = changed.map((field) => sql`, ${raw(`"${field.name}"`)} = ${this.bound(row, field, after)}`);
    return sql`UPDATE ${raw(`"${this.table}"`)} SET row_version = ${row.row_version}${join(columns, '')} WHERE tenant_id = ${requireScope().tenant_id} AND ${raw(`"${this.id}"`)} = ${this.value(row, this.id)}`;
  }

  private value(row: T, name: string): unknown {
    return (row as Record<string, unknown>)[name];
  }

  /** A value as the driver binds it; JSON is text to it, or it would take an array for one of PostgreSQL's. What the snapshot has written is not written again. */
  private bound(row: T, field: Field, written: readonly unknown[]): unknown {
    const value = this.value(row, field.name);
    if (field.kind !== 'json' || value === null) return value;
    return typeof value === 'object' && !(value instanceof Date) ? written[this.stored.indexOf(field)] : JSON.stringify(value);
  }

  private load(id: string, beside: Sql, lock: Sql): Promise<Record<string, unknown> | undefined> {
    const columns = beside === empty ? raw(this.selection) : sql`${raw(this.selection)}, ${beside}`;
    return this.db
      .current()
      .first<Record<string, unknown>>(
        sql`SELECT ${columns} FROM ${raw(`"${this.table}"`)} r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.${raw(`"${this.id}"`)} = ${id} ${lock}`,
      );
  }

  /** An aggregate from its row: points in time become dates, all else is in its form already. */
  private hydrate(row: Readonly<Record<string, unknown>>): T {
    const aggregate = new this.type();
    for (const name of this.columns) (aggregate as Record<string, unknown>)[name] = row[name];
    for (const name of this.stamps) if (row[name] !== null) (aggregate as Record<string, unknown>)[name] = new Date(row[name] as string);
    return aggregate;
  }

  private withoutColumns(found: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const beside: Record<string, unknown> = {};
    // Columns come first; further expressions follow.
    for (const name of Object.keys(found).slice(this.columns.length)) beside[name] = found[name];
    return beside;
  }

  /** The values of the stored columns in a comparable form: objects by their JSON, dates by their time. */
  private snapshot(row: T): readonly unknown[] {
    return this.stored.map(({ name }) => {
      const value = this.value(row, name);
      if (value instanceof Date) return value.getTime();
      return typeof value === 'object' ? JSON.stringify(value) : (value ?? null);
    });
  }
}

/** The methods of an entity, which rows that are read beside it do not have. Its getters are named. */
export type MethodsOf<T> = { [K in keyof T]-?: T[K] extends (...given: never[]) => unknown ? K : never }[keyof T];
