import { empty, join, raw, requireScope, sql, type Database, type Sql } from '@atrium/platform/database';
import { jsonPieces, type JsonObject } from '@atrium/platform/kernel';
import type { DoubledValue, Sameness } from '../domain/value-index';

/** The columns of a table whose rows have a form. */
export interface HeldColumns {
  readonly table: string;
  readonly id: string;
  readonly form: string;
  readonly content: string;
  /** Where what does not fit is kept. */
  readonly issues?: string;
  /** Condition on `r` for rows that hold their unique values. */
  readonly claims?: Sql;
  /** The column of what unique values are unique in, where it is less than all rows of a form. */
  readonly within?: string;
  /** Condition on `r` for rows that everybody may read who reads rows of the table at all; without it none are. */
  readonly open?: Sql;
}

export interface HeldContent {
  readonly id: string;
  readonly content: JsonObject;
  readonly claims: boolean;
  readonly within: string | null;
}

/** A table of another context as the forms of its rows see it; index on (tenant_id, form, id) is what it needs. */
export class HeldTable {
  constructor(
    private readonly db: Database,
    private readonly columns: HeldColumns,
  ) {}

  async countRows(form_id: string, path: readonly string[] = []): Promise<number> {
    const there = path.length === 0 ? empty : sql`AND r.${this.name('content')} #> ${[...path]}::text[] IS NOT NULL`;
    const row = await this.db.current().first<{ count: number }>(sql`SELECT count(*) AS count FROM ${this.from(form_id)} ${there}`);
    return row?.count ?? 0;
  }

  /** Values that are worth the same are one value, quoted as one of them is stored: 1.0 is 1.00, and STRASSE is Straße. */
  findDuplicates(form_id: string, path: readonly string[], most: number, sameness: Sameness = 'stored'): Promise<DoubledValue[]> {
    const value = sql`r.${this.name('content')} #>> ${[...path]}::text[]`;
    const digits = sql`CASE WHEN ${value} ~ '^-?[0-9]+[.][0-9]+$' THEN regexp_replace(${value}, '[.]?0+$', '') ELSE ${value} END`;
    const worth = { decimal: digits, folded: sql`folded(${value})`, stored: sql`normalize(${value}, NFC)` }[sameness];
    const group = this.columns.within ? sql`, r.${raw(`"${this.columns.within}"`)}` : empty;
    return this.db
      .current()
      .query(
        sql`SELECT coalesce(min(${value}) FILTER (WHERE ${this.columns.open ?? sql`false`}), min(${value})) AS value, count(*) AS count, bool_or(${this.columns.open ?? sql`false`}) AS "isOpen" FROM ${this.from(form_id)} AND ${this.columns.claims ?? sql`true`} AND ${value} IS NOT NULL GROUP BY ${worth}${group} HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT ${most}`,
      );
  }

  /** Rows among the ids that are not deleted. */
  findLiveRows(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.filterRows(ids, this.columns.claims ?? sql`true`);
  }

  /** Those among the ids that the condition on `r` lets through. */
  async filterRows(ids: readonly string[], condition: Sql): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ id: string }>(
        sql`SELECT r.${this.name('id')} AS id FROM ${raw(`"${this.columns.table}"`)} r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.${this.name('id')} = ANY(${[...ids]}::uuid[]) AND ${condition}`,
      );
    return new Set(rows.map(({ id }) => id));
  }

  handOut(form_id: string, after: string | null, limit: number): Promise<HeldContent[]> {
    return this.held(form_id, after === null ? empty : sql`AND r.${this.name('id')} > ${after}`, sql`LIMIT ${limit}`);
  }

  lockRows(form_id: string, ids: readonly string[]): Promise<HeldContent[]> {
    return this.held(form_id, sql`AND r.${this.name('id')} = ANY(${[...ids]}::uuid[])`, empty);
  }

  private held(form_id: string, condition: Sql, bound: Sql): Promise<HeldContent[]> {
    return this.db
      .current()
      .query(
        sql`SELECT r.${this.name('id')} AS id, r.${this.name('content')} AS content, ${this.columns.claims ?? sql`true`} AS claims, ${this.columns.within ? sql`r.${raw(`"${this.columns.within}"`)}` : sql`NULL`} AS within FROM ${this.from(form_id)} ${condition} ORDER BY r.${this.name('id')} ${bound} FOR UPDATE OF r`,
      );
  }

  /** Stores content in one statement; its version grows where the content differs. Further columns are set by the caller's expressions over `v`. */
  async storeRows(
    rows: readonly { readonly id: string; readonly content: JsonObject; readonly issues: object; readonly changed: boolean }[],
    besides: readonly Sql[] = [],
  ): Promise<void> {
    if (rows.length === 0) return;
    const issues = this.columns.issues ? [sql`${this.name('issues')} = v.issues`] : [];
    const set = join([
      sql`${this.name('content')} = v.content`,
      sql`row_version = r.row_version + v.changed::integer`,
      ...issues,
      ...besides,
    ]);
    for (const { text } of jsonPieces(rows))
      await this.db.current().execute(sql`
      UPDATE ${raw(`"${this.columns.table}"`)} r SET ${set}
      FROM jsonb_to_recordset(${text}::jsonb) AS v (id uuid, content jsonb, issues jsonb, changed boolean)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.${this.name('id')} = v.id`);
  }

  private from(form_id: string): Sql {
    return sql`${raw(`"${this.columns.table}"`)} r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.${this.name('form')} = ${form_id}`;
  }

  private name(column: 'id' | 'form' | 'content' | 'issues'): Sql {
    return raw(`"${this.columns[column] ?? ''}"`);
  }
}
