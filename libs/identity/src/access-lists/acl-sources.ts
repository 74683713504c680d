import { Injectable } from '@nestjs/common';
import { aclAllows, type Permission, type Principal } from '@atrium/platform/access';
import { join, raw, requireScope, sql, type Deactivation, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** The access list of one row, and what the row is called. */
export interface AclOfRow {
  readonly acl: JsonObject;
  readonly name: string;
}

/** The access list of a row as administrators see it: that the row is there, not what it is called or holds. */
export type AccessList = {
  readonly type: string;
  readonly id: string;
  readonly acl: JsonObject;
  readonly created_by: string | null;
};

export type VersionedAccessList = AccessList & { readonly row_version: number };

/** Answers the access list of a row of its kind, or null when there is none such; asked within an open unit of work. */
export type AclSource = (id: string) => Promise<AclOfRow | null>;

/** The columns in which a context keeps the access lists of one kind of row; the row has a `tenant_id` and a `row_version`. */
export interface AclTable {
  readonly table: string;
  readonly id: string;
  readonly acl: string;
  /** Who made the row: to whom a list opens that names nobody any more. */
  readonly creator: string;
  readonly name: string;
  /** What a member needs besides the list to read rows of the kind. */
  readonly view: Permission;
  /** Condition on `r`, where the table holds several kinds. */
  readonly kind?: Sql;
  /** Where deleted rows can be restored for a time: condition on `r` that it is not deleted, or that the time is not over. Within a unit of work. */
  readonly findableCondition?: () => Promise<Sql>;
  /** How a row says that it was deleted. Its list is not changed then. */
  readonly deletion?: Deactivation | undefined;
  /** Its context changes the lists itself when content is handed over, because changes of its rows are more than the list. */
  readonly handsOver?: true;
  /** The event that reports a change of a row, where its context has one. */
  readonly changed?: string;
}

/**
 * Where contexts tell of the rows they keep access lists on: access is explained down to the entry that decided, and the lists that they
 * keep in a table have a way back (`AccessLists`). Lists that are nobody's but their owner's, those of threads, have a source alone.
 */
@Injectable()
export class AclSources {
  private readonly sources = new Map<string, AclSource>();
  private readonly tables = new Map<string, AclTable>();

  /** One source a kind, registered when the context starts. */
  register(type: string, source: AclSource): void {
    this.claim(type);
    this.sources.set(type, source);
  }

  /** In a constructor: by the time that modules start, what has no list is looked for. */
  registerTable(type: string, table: AclTable): void {
    this.claim(type);
    this.tables.set(type, table);
  }

  findSource(type: string): AclSource | undefined {
    return this.sources.get(type);
  }

  findTable(type: string): AclTable | undefined {
    return this.tables.get(type);
  }

  /** The kinds that keep their lists in a table, in the order of their names. */
  get kept(): readonly (readonly [string, AclTable])[] {
    return [...this.tables].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /**
   * Condition on a row `r` of a table: its access list, and the permission for its kind, let the reader read it; nobody (null) reads rows
   * without a list. Null for tables without access lists.
   */
  readableCondition(table: string, reader: Principal | null): Sql | null {
    const kinds = [...this.tables.values()].filter((one) => one.table === table);
    const conditions = kinds.map(({ acl, view, kind = sql`true` }) => {
      if (reader && !reader.permissions.has(view)) return sql`false`;
      return sql`(${kind} AND ${reader ? aclAllows(`r.${acl}`, reader, 'view') : sql`${raw(`r.${acl}`)} = '{}'`})`;
    });
    return conditions.length === 0 ? null : sql`(${join(conditions, ' OR ')})`;
  }

  /** Condition on a row of another table that names a row of this one: that row is there, and the reader reads it. */
  readableByCondition(table: string, id: Sql, reader: Principal | null): Sql {
    const kind = [...this.tables.values()].find((one) => one.table === table);
    const isReadable = this.readableCondition(table, reader);
    if (!kind || !isReadable) return sql`false`;
    // The name is read outside of the row that is looked for, whose alias is the same.
    return sql`EXISTS (SELECT FROM (SELECT ${id} AS id OFFSET 0) named, LATERAL (
      SELECT FROM ${raw(table)} r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${raw(`r.${kind.id}`)} = named.id AND ${isReadable}) there)`;
  }

  get types(): string[] {
    return [...this.sources.keys(), ...this.tables.keys()].sort();
  }

  private claim(type: string): void {
    if (this.types.includes(type)) throw new Error(`The access lists of ${type} are registered twice.`);
  }
}
