import { Injectable } from '@nestjs/common';
import { Database, join, raw, requireScope, sql, type RowBudget, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { AccessList, AclOfRow, AclTable, VersionedAccessList } from './acl-sources';

/** A list as it was and as it is. */
export interface ChangedList {
  readonly id: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

type LockedAccessList = VersionedAccessList & { readonly is_deleted: boolean };

interface Stretch {
  readonly changed: readonly ChangedList[];
  readonly seen: number;
  readonly last: string | null;
}

/** Access lists in the tables of all contexts, by the columns they registered. Within a unit of work. */
@Injectable()
export class AccessListRows {
  constructor(private readonly db: Database) {}

  /** Rows that have a list, by id; with `user_id`, those whose list names the member. */
  async listAccessLists(
    kinds: readonly (readonly [string, AclTable])[],
    {
      user_id,
      after,
      size,
      offset,
      budget,
    }: {
      readonly user_id?: string | undefined;
      readonly after: string | null;
      readonly size: number;
      readonly offset: number;
      readonly budget: RowBudget;
    },
  ): Promise<AccessList[]> {
    const findable = await Promise.all(kinds.map(([, t]) => findableOf(t)));
    const parts = kinds.map(
      (
        [type, t],
        at,
      ) => sql`(SELECT ${type}::text AS type, ${column(t.id)} AS id, ${column(t.acl)} AS acl, ${column(t.creator)} AS created_by
        FROM ${raw(t.table)} r WHERE ${restricted(t)} AND ${findable[at] ?? sql`true`} AND ${after === null ? sql`true` : sql`${column(t.id)} > ${after}::uuid`}
          AND ${user_id === undefined ? sql`true` : sql`${column(t.acl)} -> 'users' ? ${user_id}`} ORDER BY ${column(t.id)} LIMIT ${offset + size})`,
    );
    return this.db
      .current()
      .query<AccessList>(sql`SELECT * FROM (${join(parts, ' UNION ALL ')}) lists ORDER BY id LIMIT ${size} OFFSET ${offset}`, [], budget);
  }

  /** What decides about one row, and its name for those who may read it. */
  async findAccessList(t: AclTable, id: string): Promise<AclOfRow | undefined> {
    return this.db
      .current()
      .first<AclOfRow & Record<string, unknown>>(
        sql`SELECT ${column(t.acl)} AS acl, ${column(t.name)} AS name FROM ${raw(t.table)} r WHERE ${one(t, id)} AND ${await findableOf(t)}`,
      );
  }

  /** One list, locked for a change, and whether its row was deleted. */
  async lockAccessList(type: string, t: AclTable, id: string): Promise<LockedAccessList | undefined> {
    const { deletion } = t;
    return this.db.current().first<LockedAccessList & Record<string, unknown>>(
      sql`SELECT ${type}::text AS type, ${column(t.id)} AS id, ${column(t.acl)} AS acl, ${column(t.creator)} AS created_by, r.row_version, ${deletion ? sql`NOT ${column(deletion.flag)}` : sql`false`} AS is_deleted FROM ${raw(t.table)} r
            WHERE ${one(t, id)} AND ${await findableOf(t)} FOR UPDATE`,
    );
  }

  async writeAccessList(t: AclTable, id: string, acl: JsonObject): Promise<void> {
    await this.db
      .current()
      .query(
        sql`UPDATE ${raw(t.table)} r SET ${raw(t.acl)} = ${JSON.stringify(acl)}::jsonb, row_version = r.row_version + 1 WHERE ${one(t, id)}`,
      );
  }

  /** Puts one member in the place of another in the lists of one stretch of the table, along its ids. */
  handOver(
    t: AclTable,
    { from, to }: { readonly from: string; readonly to: string },
    after: string | null,
    size: number,
  ): Promise<Stretch> {
    return this.rewrite(t, sql`acl_handed_over(${column(t.acl)}, ${from}::uuid, ${to}::uuid)`, after, size);
  }

  /** Gives an owner to the lists of one stretch that name nobody any more. */
  assignMissingOwners(t: AclTable, after: string | null, size: number): Promise<Stretch> {
    return this.rewrite(t, sql`acl_with_a_way_back(${column(t.acl)}, ${column(t.creator)})`, after, size);
  }

  private async rewrite(t: AclTable, next: Sql, after: string | null, size: number): Promise<Stretch> {
    const { tenant_id } = requireScope();
    const stretch = await this.db.current().first<Stretch & Record<string, unknown>>(
      sql`WITH stretch AS MATERIALIZED (SELECT ${column(t.id)} AS id, ${column(t.acl)} AS before, ${next} AS next FROM ${raw(t.table)} r
            WHERE ${restricted(t)} AND ${after === null ? sql`true` : sql`${column(t.id)} > ${after}::uuid`} ORDER BY ${column(t.id)} LIMIT ${size}),
          changed AS (UPDATE ${raw(t.table)} r SET ${raw(t.acl)} = s.next, row_version = r.row_version + 1 FROM stretch s
            WHERE r.tenant_id = ${tenant_id} AND ${column(t.id)} = s.id AND ${column(t.acl)} = s.before AND s.before <> s.next RETURNING s.id, s.before, s.next)
          SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'before', c.before, 'after', c.next) ORDER BY c.id), '[]') FROM changed c) AS changed, (SELECT count(*) FROM stretch) AS seen, (SELECT id FROM stretch ORDER BY id DESC LIMIT 1) AS last`,
    );
    return stretch ?? { changed: [], seen: 0, last: null };
  }
}

const findableOf = async ({ findableCondition }: AclTable): Promise<Sql> => (await findableCondition?.()) ?? sql`true`;
const column = (name: string): Sql => raw(`r.${name}`);
const ofKind = ({ kind }: AclTable): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND ${kind ?? sql`true`}`;
const restricted = (t: AclTable): Sql => sql`${ofKind(t)} AND ${column(t.acl)} <> '{}'::jsonb`;
const one = (t: AclTable, id: string): Sql => sql`${ofKind(t)} AND ${column(t.id)} = ${id}::uuid`;
