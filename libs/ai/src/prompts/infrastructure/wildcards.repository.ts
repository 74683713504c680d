import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import type { Control } from '../domain/control-value';
import { keyOf } from '../domain/prompt-text';
import { Wildcard } from '../domain/wildcard';

/** A wildcard as it is stored. */
export type WildcardRow = Omit<Wildcard, 'tenant_id' | 'row_version' | 'control' | 'describe' | 'delete'> & {
  readonly row_version?: number;
};

/** The wildcards of a workspace. */
@Injectable()
export class WildcardsRepository extends ResourceRepository<Wildcard> {
  constructor(db: Database) {
    super(db, Wildcard, 'wildcard');
  }

  listWildcards(query: ListParameters, where: Sql): Promise<Page<WildcardRow>> {
    return listPage<WildcardRow>(this.db.current(), Wildcard, query, { where, ignore: ['wildcard_active'] });
  }

  findWildcardRow(wildcard_id: string): Promise<WildcardRow | undefined> {
    return this.db
      .current()
      .first<WildcardRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Wildcard)}, r.row_version FROM wildcard r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.wildcard_id = ${wildcard_id}`,
      );
  }

  /** How the values of names are asked for, by their keys, as of now; names without an active wildcard are left out. */
  async findControls(keys: readonly string[]): Promise<ReadonlyMap<string, Control>> {
    if (keys.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<WildcardRow & Record<string, unknown>>(
        sql`SELECT wildcard_name, wildcard_control_type, wildcard_control_props FROM wildcard WHERE tenant_id = ${requireScope().tenant_id} AND wildcard_active AND wildcard_name_key = ANY(${[...keys]}::text[])`,
      );
    return new Map(rows.map((row) => [keyOf(row.wildcard_name), { type: row.wildcard_control_type, props: row.wildcard_control_props }]));
  }
}
