import { Injectable } from '@nestjs/common';
import { Database, empty, join, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { mentionsPerson, personPattern } from '../../shared/infrastructure/person-pattern';
import { PersonCatalog, type DescribedTable, type DescribedText } from './person-catalog.rows';
import {
  anyOf,
  afterPosition,
  personConditions,
  quotedName,
  rowColumn,
  notHeldCondition,
  versionOf,
  type AskedColumn,
  type Position,
  type Some,
  type Stretch,
} from './person-rows';

/** Rows in which a person stays. */
export interface Staying {
  /** Under the person's id or address. */
  readonly owned: number;
  /** In which a text mentions the person. */
  readonly mentioned: number;
  /** Of those that would not stay, the ones that a legal hold keeps. */
  readonly held: number;
}

/** Columns that hold a person, and texts that may mention one. */
export interface AskedPlaces {
  readonly columns: readonly AskedColumn[];
  readonly texts: readonly string[];
}

/** Called in the unit of work that changed the rows with these keys. */
type Redacted = (keys: readonly Position[]) => Promise<void>;

/**
 * Address and name of a person in texts and JSON of any table of workspaces. They are taken out along the primary key, a
 * stretch in a unit of work, so that no lock is held for long; doing it again changes nothing more. What is written in
 * their place is `[erased]`, followed by a sign of the row where a unique index would not have two of them.
 */
@Injectable()
export class PersonMentions {
  constructor(
    private readonly db: Database,
    private readonly catalog: PersonCatalog,
  ) {}

  /** Redacts texts of a stretch of a table, but for rows that a legal hold keeps; how many rows had the person. */
  async redactTexts(
    table: string,
    texts: readonly DescribedText[],
    person: PersonSubject,
    { after, limit, hold, redacted }: Some & { readonly after: Position | null; readonly redacted?: Redacted },
  ): Promise<Stretch<number>> {
    const { key, described } = await this.catalog.describeTable(table);
    const { tenant_id } = requireScope();
    const parts = key.map((part, index) => ({ column: rowColumn(part), alias: raw(`s.k${index}`), as: raw(`k${index}`) }));
    const keyOf = sql`ARRAY[${join(key.map((part) => sql`${rowColumn(part)}::text`))}]`;
    const cleaned = texts.map((text) => ({ column: text.column, clean: without(described, text, person, keyOf) }));
    const statement = sql`
      WITH stretch AS MATERIALIZED (SELECT ${join(parts.map(({ column, as }) => sql`${column} AS ${as}`))} FROM ${quotedName(table)} r WHERE r.tenant_id = ${tenant_id} ${afterPosition(described, key, after)} ORDER BY ${join(key.map(rowColumn))} LIMIT ${limit}),
      changed AS (UPDATE ${quotedName(table)} r SET ${join(cleaned.map(({ column, clean }) => sql`${quotedName(column)} = ${clean}`))}${wordsOf(described, cleaned)}${versionOf(described)} FROM stretch s
        WHERE r.tenant_id = ${tenant_id} AND ${join(
          parts.map(({ column, alias }) => sql`${column} = ${alias}`),
          ' AND ',
        )} AND ${anyOf(
          this.in(
            cleaned.map(({ column }) => column),
            person,
          ),
        )} AND ${notHeldCondition(hold)} RETURNING ${keyOf} AS key)
      SELECT (SELECT jsonb_agg(c.key) FROM changed c) AS changed, (SELECT count(*) FROM stretch) AS seen,
        (SELECT ARRAY[${join(parts.map(({ alias }) => sql`${alias}::text`))}] FROM stretch s ORDER BY ${join(parts.map(({ alias }) => sql`${alias} DESC`))} LIMIT 1) AS last`;
    const row = await this.db.write(async (tx) => {
      const done = await tx.first<{ changed: string[][] | null; seen: number; last: string[] | null }>(statement);
      if (done?.changed) await redacted?.(done.changed);
      return done;
    });
    return { found: row?.changed?.length ?? 0, next: (row?.seen ?? 0) < limit ? null : (row?.last ?? null) };
  }

  /** How many rows of a stretch stay with the person in them by a rule, and how many because a legal hold keeps them. */
  async countMentions(
    table: string,
    { staying, leaving }: { readonly staying: AskedPlaces; readonly leaving: AskedPlaces },
    person: PersonSubject,
    { after, limit, hold }: Some & { readonly after: Position | null },
  ): Promise<Stretch<Staying>> {
    const { key, described } = await this.catalog.describeTable(table);
    const named = ({ columns }: AskedPlaces): Sql[] => columns.flatMap((asked) => personConditions(described, asked, person));
    const [owned, mentioned] = [named(staying), this.in(staying.texts, person)];
    const gone = [...named(leaving), ...this.in(leaving.texts, person)];
    if (owned.length + mentioned.length + gone.length === 0) return { found: { owned: 0, mentioned: 0, held: 0 }, next: null };
    const at = sql`ARRAY[${join(key.map((part) => sql`${rowColumn(part)}::text`))}]`;
    const held = gone.length === 0 || hold === null ? sql`false` : sql`(${anyOf(gone)} AND ${hold} IS NOT NULL)`;
    const statement = sql`
      WITH stretch AS MATERIALIZED (SELECT ${at} AS at, ${anyOf(owned)} AS owned, ${anyOf(mentioned)} AS mentioned, ${held} AS held, row_number() OVER (ORDER BY ${join(key.map(rowColumn))}) AS place FROM ${quotedName(table)} r
        WHERE r.tenant_id = ${requireScope().tenant_id} ${afterPosition(described, key, after)} ORDER BY ${join(key.map(rowColumn))} LIMIT ${limit})
      SELECT count(*) FILTER (WHERE s.owned) AS owned, count(*) FILTER (WHERE s.mentioned) AS mentioned, count(*) FILTER (WHERE s.held) AS held,
        max(s.at) FILTER (WHERE s.place = ${limit}) AS last FROM stretch s`;
    const row = await this.db.read((tx) => tx.first<Staying & { readonly last: string[] | null }>(statement));
    return { found: { owned: row?.owned ?? 0, mentioned: row?.mentioned ?? 0, held: row?.held ?? 0 }, next: row?.last ?? null };
  }

  /** Conditions on a row `r`: one of its texts mentions the person. */
  private in(texts: readonly string[], person: PersonSubject): Sql[] {
    return isNamed(person) ? texts.map((column) => says(column, person)) : [];
  }
}

/** Whether there is anything to look for. */
export const isNamed = ({ email, name: called }: PersonSubject): boolean => email !== null || called !== null;

const says = (column: string, person: PersonSubject): Sql => mentionsPerson(sql`${rowColumn(column)}::text`, person);

/** A column without the person, in its own type. */
function without({ columns }: DescribedTable, { column, isUnique }: DescribedText, person: PersonSubject, key: Sql): Sql {
  const type = columns.get(column) ?? 'text';
  const mark = isUnique ? sql`'[erased ' || left(md5(${key}::text), 8) || ']'` : sql`'[erased]'`;
  const clean = (text: Sql): Sql => sql`without_person(${text}, ${personPattern(person)}, ${mark})`;
  if (type.endsWith('[]'))
    return sql`CASE WHEN ${rowColumn(column)} IS NOT NULL THEN ARRAY(SELECT ${clean(sql`p.part`)} FROM unnest(${rowColumn(column)}) WITH ORDINALITY AS p (part, place) ORDER BY p.place) END`;
  return type.startsWith('json') ? sql`${clean(sql`${rowColumn(column)}::text`)}::${raw(type)}` : clean(rowColumn(column));
}

/** Search words that are stored beside the texts lose what the texts lose. */
function wordsOf({ words }: DescribedTable, cleaned: readonly { readonly column: string; readonly clean: Sql }[]): Sql {
  if (words.length === 0 || cleaned.length === 0) return empty;
  const before = sql`ARRAY[${join(cleaned.map(({ column }) => sql`${rowColumn(column)}::text`))}]`;
  const since = sql`ARRAY[${join(cleaned.map(({ clean }) => sql`(${clean})::text`))}]`;
  return sql`, ${join(words.map((column) => sql`${quotedName(column)} = words_without(${rowColumn(column)}, ${before}, ${since})`))}`;
}
