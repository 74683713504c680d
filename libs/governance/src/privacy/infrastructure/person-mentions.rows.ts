import { Injectable } from '@nestjs/common';
import { Database, empty, join, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { PersonCatalog, type DescribedTable, type DescribedText } from './person-catalog.rows';
import { anyOf, beyond, name, own, unheld, versionOf, type Position, type Some, type Stretch } from './person-rows';

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
  async redact(
    table: string,
    texts: readonly DescribedText[],
    person: PersonSubject,
    { after, limit, hold, redacted }: Some & { readonly after: Position | null; readonly redacted?: Redacted },
  ): Promise<Stretch<number>> {
    const { key, described } = await this.catalog.ofWorkspaces(table);
    const { tenant_id } = requireScope();
    const parts = key.map((part, index) => ({ column: own(part), alias: raw(`s.k${index}`), as: raw(`k${index}`) }));
    const keyOf = sql`ARRAY[${join(key.map((part) => sql`${own(part)}::text`))}]`;
    const cleaned = texts.map((text) => ({ column: text.column, clean: without(described, text, person, keyOf) }));
    const statement = sql`
      WITH stretch AS MATERIALIZED (SELECT ${join(parts.map(({ column, as }) => sql`${column} AS ${as}`))} FROM ${name(table)} r WHERE r.tenant_id = ${tenant_id} ${beyond(described, key, after)} ORDER BY ${join(key.map(own))} LIMIT ${limit}),
      changed AS (UPDATE ${name(table)} r SET ${join(cleaned.map(({ column, clean }) => sql`${name(column)} = ${clean}`))}${wordsOf(described, cleaned)}${versionOf(described)} FROM stretch s
        WHERE r.tenant_id = ${tenant_id} AND ${join(
          parts.map(({ column, alias }) => sql`${column} = ${alias}`),
          ' AND ',
        )} AND ${anyOf(this.in(texts, person))} AND ${unheld(hold)} RETURNING ${keyOf} AS key)
      SELECT (SELECT jsonb_agg(c.key) FROM changed c) AS changed, (SELECT count(*) FROM stretch) AS seen,
        (SELECT ARRAY[${join(parts.map(({ alias }) => sql`${alias}::text`))}] FROM stretch s ORDER BY ${join(parts.map(({ alias }) => sql`${alias} DESC`))} LIMIT 1) AS last`;
    const row = await this.db.write(async (tx) => {
      const done = await tx.first<{ changed: string[][] | null; seen: number; last: string[] | null }>(statement);
      if (done?.changed) await redacted?.(done.changed);
      return done;
    });
    return { found: row?.changed?.length ?? 0, next: (row?.seen ?? 0) < limit ? null : (row?.last ?? null) };
  }

  /** Conditions on a row `r`: one of its texts mentions the person. */
  in(texts: readonly Pick<DescribedText, 'column'>[], person: PersonSubject): Sql[] {
    return isNamed(person) ? texts.map(({ column }) => says(column, person)) : [];
  }

  /** How many rows have the person in one of the columns. */
  async count(table: string, columns: readonly string[], person: PersonSubject): Promise<number> {
    if (columns.length === 0 || !isNamed(person)) return 0;
    const row = await this.db.read((tx) =>
      tx.first<{ count: number }>(
        sql`SELECT count(*) AS count FROM ${name(table)} r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${anyOf(columns.map((column) => says(column, person)))}`,
      ),
    );
    return row?.count ?? 0;
  }
}

/** Whether there is anything to look for. */
export const isNamed = ({ email, name: called }: PersonSubject): boolean => email !== null || called !== null;

const patternOf = ({ email, name: called }: PersonSubject): Sql => sql`person_pattern(${email}::text, ${called}::text)`;

/** What every text has that mentions the person, for a search without a regular expression first. */
const needlesOf = ({ email, name: called }: PersonSubject): string[] =>
  [email?.split('@')[0], called?.split(/\s+/).sort((a, b) => b.length - a.length)[0]]
    .filter((needle) => needle !== undefined)
    .map((needle) => `%${needle.replace(/[\\%_]/g, '\\$&').replace(/"/g, '%')}%`);

const says = (column: string, person: PersonSubject): Sql =>
  sql`(${own(column)}::text ILIKE ANY (${needlesOf(person)}::text[]) AND ${own(column)}::text ~* ${patternOf(person)})`;

/** A column without the person, in its own type. */
function without({ columns }: DescribedTable, { column, isUnique }: DescribedText, person: PersonSubject, key: Sql): Sql {
  const type = columns.get(column) ?? 'text';
  const mark = isUnique ? sql`'[erased ' || left(md5(${key}::text), 8) || ']'` : sql`'[erased]'`;
  const clean = (text: Sql): Sql => sql`without_person(${text}, ${patternOf(person)}, ${mark})`;
  if (type.endsWith('[]'))
    return sql`CASE WHEN ${own(column)} IS NOT NULL THEN ARRAY(SELECT ${clean(sql`p.part`)} FROM unnest(${own(column)}) WITH ORDINALITY AS p (part, place) ORDER BY p.place) END`;
  return type.startsWith('json') ? sql`${clean(sql`${own(column)}::text`)}::${raw(type)}` : clean(own(column));
}

/** Search words that are stored beside the texts lose what the texts lose. */
function wordsOf({ words }: DescribedTable, cleaned: readonly { readonly column: string; readonly clean: Sql }[]): Sql {
  if (words.length === 0 || cleaned.length === 0) return empty;
  const before = sql`ARRAY[${join(cleaned.map(({ column }) => sql`${own(column)}::text`))}]`;
  const since = sql`ARRAY[${join(cleaned.map(({ clean }) => sql`(${clean})::text`))}]`;
  return sql`, ${join(words.map((column) => sql`${name(column)} = words_without(${own(column)}, ${before}, ${since})`))}`;
}
