import { Problem, notFound } from '@atrium/platform/kernel';
import type { FindOptionsWhere, ObjectLiteral } from 'typeorm';
import { requireScope } from './call-scope';
import type { Database } from './database';
import { fieldsOf, resourceOf, type TenantRow } from './fields';

/** What `If-Match` asked for: the row versions that may be changed, or any. */
export interface Precondition {
  readonly versions: readonly number[] | 'any';
}

type Constructor<T> = new () => T;

/**
 * Loads and saves one kind of aggregate. Every statement names the workspace besides the policy that enforces it;
 * `save` writes the columns that changed since loading, and nothing when none did.
 */
export abstract class ResourceRepository<T extends TenantRow & ObjectLiteral> {
  private readonly loaded = new WeakMap<T, Record<string, unknown>>();
  private readonly id: string;
  private readonly columns: readonly string[];

  protected constructor(
    protected readonly db: Database,
    private readonly type: Constructor<T>,
    private readonly noun: string,
  ) {
    this.id = resourceOf(type).id;
    this.columns = [...fieldsOf(type).values()].filter((field) => !field.computed).map((field) => field.name);
  }

  /** The row locked for change, or `not_found`; a stale `If-Match` is `precondition_failed`. */
  async lock(id: string, precondition?: Precondition): Promise<T> {
    const row = await this.db
      .current()
      .entities.createQueryBuilder(this.type, 'row')
      .setLock('pessimistic_write')
      .where(this.key(id))
      .getOne();
    if (!row) throw notFound(this.noun);
    if (precondition && precondition.versions !== 'any' && !precondition.versions.includes(row.row_version)) {
      throw new Problem('precondition_failed', `The ${this.noun} has changed since it was read; read it again.`);
    }
    this.loaded.set(row, this.snapshot(row));
    return row;
  }

  /** The row, or null; for looking, not for changing. */
  find(id: string): Promise<T | null> {
    return this.db.current().entities.createQueryBuilder(this.type, 'row').where(this.key(id)).getOne();
  }

  async insert(row: T): Promise<T> {
    row.tenant_id = requireScope().tenant_id;
    row.row_version = 1;
    await this.db.current().entities.createQueryBuilder().insert().into(this.type).values(row).updateEntity(false).execute();
    this.loaded.set(row, this.snapshot(row));
    return row;
  }

  /** Writes what changed since `lock`; answers whether anything did. */
  async save(row: T): Promise<boolean> {
    const before = this.loaded.get(row);
    if (!before) throw new Error(`A ${this.noun} is saved only after it was locked or inserted.`);
    const after = this.snapshot(row);
    const changed = Object.fromEntries(this.columns.filter((name) => before[name] !== after[name]).map((name) => [name, (row as Record<string, unknown>)[name]]));
    if (Object.keys(changed).length === 0) return false;
    row.row_version += 1;
    await this.db
      .current()
      .entities.createQueryBuilder()
      .update(this.type)
      .set({ ...changed, row_version: row.row_version } as never)
      .where(this.key((row as Record<string, unknown>)[this.id] as string))
      .updateEntity(false)
      .execute();
    this.loaded.set(row, after);
    return true;
  }

  async remove(row: T): Promise<void> {
    await this.db.current().entities.createQueryBuilder().delete().from(this.type).where(this.key((row as Record<string, unknown>)[this.id] as string)).execute();
  }

  private key(id: string): FindOptionsWhere<T> {
    return { tenant_id: requireScope().tenant_id, [this.id]: id } as unknown as FindOptionsWhere<T>;
  }

  /** Column values in a comparable form: objects and dates by their JSON. */
  private snapshot(row: T): Record<string, unknown> {
    const values = row as Record<string, unknown>;
    return Object.fromEntries(this.columns.map((name) => [name, typeof values[name] === 'object' ? JSON.stringify(values[name]) : (values[name] ?? null)]));
  }
}
