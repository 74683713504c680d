import { Injectable } from '@nestjs/common';
import { Database, empty, raw, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import type { IndexEntry, UniqueEntry } from '../domain/value-index';

/** What the index is to hold of one row. */
export interface IndexedOwner {
  readonly owner_id: string;
  /** What its unique values are unique in; null: all rows of the form. */
  readonly within: string | null;
  readonly entries: readonly IndexEntry[];
  readonly uniques: readonly UniqueEntry[];
}

/** A unique value that another row has already. */
export interface TakenValue {
  readonly owner_id: string;
  readonly field_key: string;
}

export interface Pointer {
  readonly owner_id: string;
  readonly form_id: string;
  readonly field_key: string;
  readonly value_ref: string;
}

/** A place of the index that refers to something: places are read in this order. */
export interface Referrer {
  readonly form_id: string;
  readonly field_key: string;
  readonly owner_id: string;
}

/** A field of a form that refers to something. */
export interface PointingField {
  readonly form_id: string;
  readonly field_key: string;
}

/** A form with values that were not written folded. */
export interface UnfoldedForm {
  readonly tenant_id: string;
  readonly form_id: string;
}

/** Of the one statement that moves unique values: those of 100,000 rows take six seconds. */
const LONGEST_MOVE = '2min';
/** The scope of values that are unique among all rows of their form. */
const EVERYWHERE = '00000000-0000-0000-0000-000000000000';

const orderOf = ({ within, field_key, value_hash }: UniqueEntry & { readonly within: string }): string =>
  `${within} ${field_key} ${value_hash}`;

/** Unique values of owners as a table `w`, in the one order in which they are taken. */
function askedOf(owners: readonly IndexedOwner[]): { readonly asked: Sql; readonly any: boolean } {
  const wanted = owners
    .flatMap(({ owner_id, within, uniques }) => uniques.map((unique) => ({ owner_id, within: within ?? EVERYWHERE, ...unique })))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const [keys, hashes, ids, scopes] = [
    wanted.map(({ field_key }) => field_key),
    wanted.map(({ value_hash }) => Buffer.from(value_hash, 'hex')),
    wanted.map(({ owner_id }) => owner_id),
    wanted.map(({ within }) => within),
  ];
  return {
    asked: sql`unnest(${keys}::text[], ${hashes}::bytea[], ${ids}::uuid[], ${scopes}::uuid[]) AS w (field_key, value_hash, owner_id, scope_id)`,
    any: wanted.length > 0,
  };
}

/** Rows of the value index and of unique values. */
@Injectable()
export class FormValueRows {
  constructor(private readonly db: Database) {}

  /** Puts the index rows of owners in the place of those they had, and leaves alone what is the same; owners that are new have none to take away. */
  async replaceIndex(form_id: string, owners: readonly IndexedOwner[], { fresh }: { readonly fresh: boolean }): Promise<void> {
    const rows = owners.flatMap(({ owner_id, entries }) => entries.map((entry) => ({ owner_id, ...entry })));
    const column = <K extends keyof (typeof rows)[number]>(key: K): (typeof rows)[number][K][] => rows.map((row) => row[key]);
    const wanted = sql`unnest(${column('owner_id')}::uuid[], ${column('field_key')}::text[], ${column('position')}::integer[],
        ${column('value_text')}::text[], ${column('value_num')}::double precision[], ${column('value_ref')}::uuid[]) AS w (owner_id, field_key, position, value_text, value_num, value_ref)`;
    if (!fresh)
      await this.tx.execute(sql`
        DELETE FROM form_value v WHERE v.tenant_id = ${this.tenant} AND v.owner_id = ANY(${owners.map(({ owner_id }) => owner_id)}::uuid[])
          AND NOT EXISTS (SELECT FROM ${wanted} WHERE v.form_id = ${form_id} AND w.owner_id = v.owner_id AND w.field_key = v.field_key AND w.position = v.position
            AND (w.value_text, w.value_num, w.value_ref) IS NOT DISTINCT FROM (v.value_text, v.value_num, v.value_ref))`);
    if (rows.length === 0) return;
    const kept = fresh ? empty : sql`ON CONFLICT DO NOTHING`;
    await this.tx.execute(sql`
      INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_text, value_num, value_ref, value_folded)
      SELECT ${this.tenant}::uuid, ${form_id}::uuid, w.*, true FROM ${wanted} ${kept}`);
  }

  /**
   * Takes unique values for owners, giving up those that they had; answers the ones that another row has. Values are taken
   * in one order by everybody, so that two requests never wait for each other in a circle; who is second waits for the first.
   */
  async claimValues(
    form_id: string,
    owners: readonly IndexedOwner[],
    { fresh }: { readonly fresh: boolean },
  ): Promise<readonly TakenValue[]> {
    const { asked, any } = askedOf(owners);
    const same = sql`w.field_key = u.field_key AND w.value_hash = u.value_hash AND w.owner_id = u.owner_id AND w.scope_id = u.scope_id`;
    const given = sql`FROM form_unique u WHERE u.tenant_id = ${this.tenant} AND u.owner_id = ANY(${owners.map(({ owner_id }) => owner_id)}::uuid[]) AND NOT EXISTS (SELECT FROM ${asked} WHERE u.form_id = ${form_id} AND ${same})`;
    // Most changes leave them as they are.
    const differs = fresh
      ? any
      : await this.tx.first(
          sql`SELECT 1 AS differs ${given} UNION ALL SELECT 1 FROM ${asked} WHERE NOT EXISTS (SELECT FROM form_unique u WHERE u.tenant_id = ${this.tenant} AND u.form_id = ${form_id} AND ${same}) LIMIT 1`,
        );
    if (!differs) return [];
    if (!fresh) await this.tx.execute(sql`DELETE ${given}`);
    if (!any) return [];
    await this.take(form_id, asked);
    return this.tx.query<{ owner_id: string; field_key: string }>(sql`
      SELECT w.owner_id, w.field_key FROM ${asked}
      JOIN form_unique u ON u.tenant_id = ${this.tenant} AND u.form_id = ${form_id} AND u.scope_id = w.scope_id AND u.field_key = w.field_key AND u.value_hash = w.value_hash AND u.owner_id <> w.owner_id`);
  }

  /** The next form of all workspaces with values that were not written folded, by workspace and form. */
  findNextUnfolded(after: UnfoldedForm | null): Promise<UnfoldedForm | undefined> {
    return this.db.acrossTenants((tx) =>
      tx.first<{ tenant_id: string; form_id: string }>(
        sql`SELECT tenant_id, form_id FROM form_next_unfolded(${after?.tenant_id ?? null}::uuid, ${after?.form_id ?? null}::uuid)`,
      ),
    );
  }

  /** Rows of a form behind one of them with values that were not written folded, in the order of their ids. */
  async findUnfoldedRows(form_id: string, after: string | null, most: number): Promise<string[]> {
    const behind = after === null ? empty : sql`AND owner_id > ${after}::uuid`;
    const those = sql`tenant_id = ${this.tenant} AND form_id = ${form_id} AND NOT value_folded ${behind}`;
    const rows = await this.tx.query<{ owner_id: string }>(sql`
      (SELECT DISTINCT owner_id FROM form_value WHERE ${those} AND value_text IS NOT NULL ORDER BY owner_id LIMIT ${most})
      UNION (SELECT DISTINCT owner_id FROM form_unique WHERE ${those} ORDER BY owner_id LIMIT ${most}) ORDER BY owner_id LIMIT ${most}`);
    return rows.map(({ owner_id }) => owner_id);
  }

  /**
   * Puts folded claims in the place of those that were written otherwise. Where the value of a field is taken by another row, the claims
   * of the field stay as they are: the next change of the row says so.
   */
  async refoldClaims(form_id: string, owners: readonly IndexedOwner[]): Promise<void> {
    const { asked } = askedOf(owners);
    await this.take(form_id, asked);
    await this.tx.execute(sql`
      WITH w AS MATERIALIZED (SELECT * FROM ${asked})
      DELETE FROM form_unique u WHERE u.tenant_id = ${this.tenant} AND u.form_id = ${form_id} AND u.owner_id = ANY(${owners.map(({ owner_id }) => owner_id)}::uuid[]) AND NOT u.value_folded
        AND NOT EXISTS (SELECT FROM w WHERE w.field_key = u.field_key AND w.value_hash = u.value_hash AND w.owner_id = u.owner_id AND w.scope_id = u.scope_id)
        AND NOT EXISTS (
          SELECT FROM w JOIN form_unique t ON t.tenant_id = ${this.tenant} AND t.form_id = ${form_id} AND t.scope_id = w.scope_id AND t.field_key = w.field_key AND t.value_hash = w.value_hash AND t.owner_id <> w.owner_id
          WHERE w.owner_id = u.owner_id AND w.field_key = u.field_key)`);
  }

  /** Nothing more is to be folded of these rows. */
  async markFolded(form_id: string, owner_ids: readonly string[]): Promise<void> {
    for (const table of ['form_value', 'form_unique'])
      await this.tx.execute(
        sql`UPDATE ${raw(table)} SET value_folded = true WHERE tenant_id = ${this.tenant} AND form_id = ${form_id} AND owner_id = ANY(${[...owner_ids]}::uuid[]) AND NOT value_folded`,
      );
  }

  private take(form_id: string, asked: Sql): Promise<number> {
    return this.tx.execute(sql`
      INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id, scope_id, value_folded)
      SELECT ${this.tenant}, ${form_id}, w.*, true FROM ${asked} ON CONFLICT DO NOTHING`);
  }

  /** The rows that have any of these values in any of these unique fields. */
  findOwners(
    { form_id, field_keys, within }: { readonly form_id: string; readonly field_keys: readonly string[]; readonly within: string | null },
    hashes: readonly string[],
  ): Promise<{ field_key: string; value_hash: string; owner_id: string }[]> {
    const bound = hashes.map((hash) => Buffer.from(hash, 'hex'));
    return this.tx.query(
      sql`SELECT field_key, encode(value_hash, 'hex') AS value_hash, owner_id FROM form_unique WHERE tenant_id = ${this.tenant} AND form_id = ${form_id} AND scope_id = ${within ?? EVERYWHERE} AND field_key = ANY(${[...field_keys]}::text[]) AND value_hash = ANY(${bound}::bytea[])`,
    );
  }

  /** Another form for the index rows of these rows. */
  async moveValues(from: string, to: string, owners: Sql): Promise<void> {
    await this.tx.execute(
      sql`UPDATE form_value SET form_id = ${to} WHERE tenant_id = ${this.tenant} AND form_id = ${from} AND owner_id IN (${owners})`,
    );
  }

  /** Another form for the unique values of these rows, all in one statement, which has two minutes for everybody. */
  async moveClaims(from: string, to: string, owners: Sql): Promise<void> {
    const usual = await this.tx.first<{ longest: string }>(sql`SELECT current_setting('statement_timeout') AS longest`);
    await this.limit(LONGEST_MOVE);
    await this.tx.execute(
      sql`UPDATE form_unique SET form_id = ${to} WHERE tenant_id = ${this.tenant} AND form_id = ${from} AND owner_id IN (${owners})`,
    );
    await this.limit(usual?.longest ?? LONGEST_MOVE);
  }

  private limit(longest: string): Promise<unknown> {
    return this.tx.query(sql`SELECT set_config('statement_timeout', ${longest}, true)`);
  }

  async removeRows(owner_ids: readonly string[], { values }: { readonly values: boolean }): Promise<void> {
    const ids = [...owner_ids];
    if (values) await this.tx.execute(sql`DELETE FROM form_value WHERE tenant_id = ${this.tenant} AND owner_id = ANY(${ids}::uuid[])`);
    await this.tx.execute(sql`DELETE FROM form_unique WHERE tenant_id = ${this.tenant} AND owner_id = ANY(${ids}::uuid[])`);
  }

  /** Forgets unique values of fields that are unique no more. */
  releaseValues(form_id: string, field_keys: readonly string[]): Promise<number> {
    return this.tx.execute(
      sql`DELETE FROM form_unique WHERE tenant_id = ${this.tenant} AND form_id = ${form_id} AND field_key = ANY(${[...field_keys]}::text[])`,
    );
  }

  /** What refers to any of the ids, at most so many; `by` that field of that form alone. */
  findPointers(ids: readonly string[], most: number, by?: PointingField): Promise<Pointer[]> {
    const field = by ? sql`AND form_id = ${by.form_id} AND field_key = ${by.field_key}` : empty;
    return this.tx.query(
      sql`SELECT owner_id, form_id, field_key, value_ref FROM form_value WHERE tenant_id = ${this.tenant} AND value_ref = ANY(${[...ids]}::uuid[]) ${field} ORDER BY value_ref, form_id, field_key, owner_id LIMIT ${most}`,
    );
  }

  /** The fields by which anything refers to any of the ids. */
  listPointingFields(ids: readonly string[]): Promise<PointingField[]> {
    return this.tx.query(
      sql`SELECT DISTINCT form_id, field_key FROM form_value WHERE tenant_id = ${this.tenant} AND value_ref = ANY(${[...ids]}::uuid[])`,
    );
  }

  /** How many places of rows that the condition on `v` (their values) lets through refer to each of the ids, none counted further than `most`. */
  countUses(ids: readonly string[], most: number, condition: Sql): Promise<{ id: string; uses: number }[]> {
    return this.tx.query(sql`
      SELECT i.id, (SELECT count(*) FROM (SELECT FROM form_value v WHERE v.tenant_id = ${this.tenant} AND v.value_ref = i.id AND ${condition} LIMIT ${most}) x) AS uses
      FROM unnest(${[...ids]}::uuid[]) AS i (id)`);
  }

  /** How many places refer to each of those ids that are referred to; of all together at most so many. */
  countAllUses(ids: readonly string[], most: number): Promise<{ id: string; uses: number }[]> {
    return this.tx.query(sql`
      SELECT x.value_ref AS id, count(*) AS uses
      FROM (SELECT v.value_ref FROM form_value v WHERE v.tenant_id = ${this.tenant} AND v.value_ref = ANY(${[...ids]}::uuid[]) LIMIT ${most}) x GROUP BY x.value_ref`);
  }

  /** How many places of each of the rows refer to the id. */
  countUsesByOwner(id: string, owner_ids: readonly string[]): Promise<{ owner_id: string; uses: number }[]> {
    return this.tx.query(
      sql`SELECT owner_id, count(*) AS uses FROM form_value WHERE tenant_id = ${this.tenant} AND owner_id = ANY(${[...owner_ids]}::uuid[]) AND value_ref = ${id} GROUP BY owner_id`,
    );
  }

  /** The places behind one that refer to the id, at most so many. */
  findReferrers(id: string, after: Referrer | null, most: number): Promise<Referrer[]> {
    const behind = after
      ? sql`AND (form_id, field_key, owner_id) > (${after.form_id}::uuid, ${after.field_key}, ${after.owner_id}::uuid)`
      : empty;
    return this.tx.query(
      sql`SELECT form_id, field_key, owner_id FROM form_value WHERE tenant_id = ${this.tenant} AND value_ref = ${id} ${behind} ORDER BY form_id, field_key, owner_id LIMIT ${most}`,
    );
  }

  private get tx(): UnitOfWork {
    return this.db.current();
  }

  private get tenant(): string {
    return requireScope().tenant_id;
  }
}
