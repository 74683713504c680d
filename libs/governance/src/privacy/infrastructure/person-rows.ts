import { Injectable } from '@nestjs/common';
import { Database, empty, join, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { PersonCatalog, type DescribedTable } from './person-catalog.rows';
import type { PersonSubject } from '../../shared/domain/person-subject';

/** A column that holds somebody, and whether all of its row is shown with it. */
export interface AskedColumn {
  readonly column: string;
  readonly subject: 'user' | 'email';
  readonly tells?: 'row' | 'mark';
  readonly hidden?: readonly string[];
  readonly along?: readonly string[];
}

/** How many rows are changed at once, and the hold that spares some of them. */
export interface Some {
  readonly limit: number;
  readonly hold: Sql | null;
}

/** Where a stretch of a table ended. */
export type Position = readonly string[];

/** A stretch of a table, and where the next one begins. */
export interface Stretch<T> {
  readonly found: T;
  readonly next: Position | null;
}

/** Beside the ids of a row that the person may not read now. */
const WITHHELD = { withheld: 'The person cannot read this row at present, so only its ids are included.' };

const NEVER_SHOWN = ['tenant_id', 'row_version'];

export const quotedName = (identifier: string): Sql => raw(`"${identifier}"`);
export const rowColumn = (identifier: string): Sql => raw(`r."${identifier}"`);

/**
 * Rows of any registered table that hold a person, and what becomes of them. The names of tables and columns are those
 * that contexts declare and the database knows; values are bound. Everything goes along primary keys, in stretches.
 */
@Injectable()
export class PersonRows {
  constructor(
    private readonly db: Database,
    private readonly catalog: PersonCatalog,
  ) {}

  /** A stretch of the rows that hold the person, as an export shows them: whole where they are `readable`, a condition on `r`. */
  async listPersonRows(
    table: string,
    columns: readonly AskedColumn[],
    person: PersonSubject,
    { readable, after, limit }: { readonly readable: Sql; readonly after: Position | null; readonly limit: number },
  ): Promise<Stretch<readonly JsonObject[]>> {
    const { key, described } = await this.catalog.describeTable(table);
    const holding = columns.flatMap((asked) => personConditions(described, asked, person).map((condition) => ({ asked, condition })));
    if (holding.length === 0) return { found: [], next: null };
    const whole = holding.filter(({ asked }) => asked.tells !== 'mark').map(({ condition }) => condition);
    const marks = holding.map(({ asked, condition }) => sql`CASE WHEN ${condition} THEN ${asked.column}::text END`);
    const hidden = [...NEVER_SHOWN, ...columns.flatMap((column) => column.hidden ?? [])];
    const shown = sql`CASE WHEN ${anyOf(whole)} AND ${readable} THEN to_jsonb(r) - ${hidden}::text[]
      ELSE (CASE WHEN ${anyOf(whole)} THEN ${JSON.stringify(WITHHELD)}::jsonb ELSE '{}' END) || (SELECT jsonb_object_agg(f.key, f.value) FROM jsonb_each(to_jsonb(r)) f WHERE f.key = ANY (${[...key]}::text[] || ARRAY[${join(marks)}])) END`;
    const rows = await this.db.read((tx) =>
      tx.query<{ row: JsonObject; at: string[] }>(
        sql`SELECT ${shown} AS row, ARRAY[${join(key.map((part) => sql`${rowColumn(part)}::text`))}] AS at FROM ${quotedName(table)} r
            WHERE r.tenant_id = ${requireScope().tenant_id} AND ${anyOf(holding.map(({ condition }) => condition))} ${afterPosition(described, key, after)} ORDER BY ${join(key.map(rowColumn))} LIMIT ${limit}`,
      ),
    );
    return { found: rows.map(({ row }) => row), next: rows.length < limit ? null : (rows.at(-1)?.at ?? null) };
  }

  /** Deletes some of the rows that hold the person and no legal hold keeps; how many. */
  deleteRows(table: string, asked: AskedColumn, person: PersonSubject, { limit, hold }: Some): Promise<number> {
    return this.some(table, asked, person, { limit, hold }, (some) => sql`DELETE FROM ${quotedName(table)} r WHERE ${some}`);
  }

  /** Empties the column in some of the rows that hold the person and no legal hold keeps; how many. */
  blankColumn(table: string, asked: AskedColumn, person: PersonSubject, { limit, hold }: Some): Promise<number> {
    return this.some(
      table,
      asked,
      person,
      { limit, hold },
      (some, described) =>
        sql`UPDATE ${quotedName(table)} r SET ${join([asked.column, ...(asked.along ?? [])].map((column) => sql`${quotedName(column)} = NULL`))}${versionOf(described)} WHERE ${some}`,
    );
  }

  private async some(
    table: string,
    asked: AskedColumn,
    person: PersonSubject,
    { limit, hold }: Some,
    statement: (some: Sql, described: DescribedTable) => Sql,
  ): Promise<number> {
    const { described } = await this.catalog.describeTable(table);
    const [condition] = personConditions(described, asked, person);
    if (!condition) return 0;
    const mine = sql`r.tenant_id = ${requireScope().tenant_id} AND ${condition} AND ${notHeldCondition(hold)}`;
    return this.db.write((tx) =>
      tx.execute(
        statement(sql`${mine} AND r.ctid = ANY (ARRAY(SELECT r.ctid FROM ${quotedName(table)} r WHERE ${mine} LIMIT ${limit}))`, described),
      ),
    );
  }
}

/** The condition under which a row holds the person in a column; none where nothing is known to look for. */
export function personConditions({ columns }: DescribedTable, { column, subject }: AskedColumn, { user_id, email }: PersonSubject): Sql[] {
  if (subject === 'user' && user_id !== null)
    return [sql`${rowColumn(column)} = ${user_id}::${raw(columns.get(column) === 'uuid' ? 'uuid' : 'text')}`];
  if (subject === 'email' && email !== null) return [sql`lower(${rowColumn(column)}) = ${email}`];
  return [];
}

/** No legal hold keeps the row. */
export const notHeldCondition = (hold: Sql | null): Sql => (hold === null ? sql`true` : sql`${hold} IS NULL`);

export const anyOf = (conditions: readonly Sql[]): Sql => (conditions.length === 0 ? sql`false` : sql`(${join([...conditions], ' OR ')})`);

/** Rows after a position. */
export function afterPosition({ columns }: DescribedTable, key: readonly string[], after: Position | null): Sql {
  if (after === null) return empty;
  return sql`AND (${join(key.map(rowColumn))}) > (${join(key.map((part, index) => sql`${after[index] ?? ''}::${raw(columns.get(part) ?? 'text')}`))})`;
}

export const versionOf = ({ columns }: DescribedTable): Sql => (columns.has('row_version') ? sql`, row_version = row_version + 1` : empty);
