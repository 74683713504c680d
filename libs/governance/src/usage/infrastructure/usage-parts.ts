import { empty, requireScope, sql, type Sql } from '@atrium/platform/database';
import { DAY, HOUR, NIL_ID } from '@atrium/platform/kernel';
import type { UsageFilter } from '../domain/usage-report';
import { cutSteps, type CutRange, type Span } from '../domain/usage-spans';

export type Dimension = 'nothing' | 'period' | 'param' | 'details' | 'user' | 'agent' | 'prompt';

/** What sums are asked for: of which entries, and by what. */
export interface PartsQuestion {
  readonly range: CutRange;
  /** Where periods begin, in order. */
  readonly starts: readonly number[];
  readonly filter: UsageFilter;
  readonly row: Dimension;
  readonly column: Dimension;
}

/** What a table of sums by one dimension at a time groups by. */
type Group = 'all' | 'details' | 'user' | 'agent' | 'prompt';

/** A table that sums are read from. */
interface Source {
  readonly table: Sql;
  readonly at: Sql;
  readonly entries: Sql;
  /** Whether "none" is stored as the nil uuid. */
  readonly nil: boolean;
  /** Of a table of sums by one dimension at a time: which rows of it. */
  readonly group?: Group;
}

const CELLS: Source = { table: sql`usage_cells`, at: sql`s.cell_start`, entries: sql`s.usage_entries`, nil: true };
const THIN: Source = { ...CELLS, table: sql`usage_thin` };
const DAYS: Source = { ...CELLS, table: sql`usage_days`, at: sql`s.day_start` };
const HOURLY: Source = { ...CELLS, table: sql`usage_hourly`, at: sql`s.hour_start` };
const DAILY: Source = { ...DAYS, table: sql`usage_daily` };
const ENTRIES: Source = { table: sql`usage_entry`, at: sql`s.usage_timestamp`, entries: sql`1::bigint`, nil: false };
const DELTA: Source = { ...ENTRIES, table: sql`usage_delta` };

/** Queries for all that a question is about, in one form: rollups of whole quarters of an hour, what is not rolled up yet, and the edges. */
export function partsOf(question: PartsQuestion): Sql[] {
  const { whole, edges } = question.range;
  const exact = edges.map((edge) => part(question, ENTRIES, [edge]));
  if (whole.from >= whole.until && exact.length > 0) return exact;
  return [...rollups(question), part(question, DELTA, [whole]), ...exact];
}

/** The coarsest rollups that tell what is asked: whole days, what is left by the hour, and what is left of that by the quarter. */
function rollups(question: PartsQuestion): Sql[] {
  const { whole } = question.range;
  const group = groupOf(question);
  const from = (source: Source, spans: readonly Span[]): Sql[] => (spans.length > 0 ? [part(question, source, spans)] : []);
  if (group === undefined) {
    const [days = [], cells = []] = cutSteps(whole, question.starts, [DAY]);
    return [...from(DAYS, days), ...from(CELLS, cells)];
  }
  const [days = [], hours = [], quarters = []] = cutSteps(whole, question.starts, [DAY, HOUR]);
  return [...from({ ...DAILY, group }, days), ...from({ ...HOURLY, group }, hours), ...from(group === 'all' ? THIN : CELLS, quarters)];
}

/** The one dimension that filter and groups ask for besides time and parameter; undefined where there are several, or one member alone, whose cells an index finds. */
function groupOf({ filter, row, column }: PartsQuestion): Group | undefined {
  if (filter.usage_user !== undefined) return undefined;
  const asked = new Set<Group>(filter.usage_details === undefined ? [] : ['details']);
  for (const dimension of [row, column])
    if (dimension !== 'nothing' && dimension !== 'period' && dimension !== 'param') asked.add(dimension);
  const [group = 'all', ...others] = asked;
  return others.length === 0 ? group : undefined;
}

/** Whether every table is read by a range of its key, whatever the values. */
export const readsByKey = (question: PartsQuestion): boolean =>
  groupOf(question) !== undefined && question.filter.usage_details === undefined;

const moment = (at: number): Date => new Date(at);

/** What one source has in the spans, in the form all sources share. */
function part({ filter, starts, row, column }: PartsQuestion, source: Source, spans: readonly Span[]): Sql {
  const key = (dimension: Dimension): Sql => keyOf(dimension, source, starts);
  return sql`SELECT ${key(row)} AS line, ${key(column)} AS col, s.usage_param, ${source.entries} AS n, s.usage_consumed_units AS units, s.usage_consumed_credits AS credits FROM ${rowsIn(spans, source, filter)}`;
}

/**
 * Rows of one span, or of many by an index scan each: `OFFSET 0` keeps the planner, which knows nothing of those spans, from
 * reading the whole table instead, and the order from an index that begins with something else than time.
 */
function rowsIn(spans: readonly Span[], source: Source, filter: UsageFilter): Sql {
  const grouped = source.group === undefined ? empty : sql` AND s.usage_group = ${source.group}::text`;
  const chosen = (begins: Sql, ends: Sql): Sql =>
    sql`${source.table} s WHERE s.tenant_id = ${requireScope().tenant_id}${grouped} AND ${source.at} >= ${begins} AND ${source.at} < ${ends}${filters(filter, source)}`;
  const [span] = spans;
  if (span && spans.length === 1) return chosen(sql`${moment(span.from)}::timestamptz`, sql`${moment(span.until)}::timestamptz`);
  return sql`unnest(${spans.map(({ from }) => moment(from))}::timestamptz[], ${spans.map(({ until }) => moment(until))}::timestamptz[]) x(begins, ends)
    CROSS JOIN LATERAL (SELECT s.* FROM ${chosen(sql`x.begins`, sql`x.ends`)} ORDER BY ${source.at} OFFSET 0) s`;
}

function keyOf(dimension: Dimension, { at, nil, group }: Source, starts: readonly number[]): Sql {
  const id = (column: Sql): Sql => (group !== undefined ? sql`s.usage_subject` : nil ? column : sql`coalesce(${column}, ${NIL_ID}::uuid)`);
  switch (dimension) {
    case 'nothing':
      return sql`''`;
    // Entries are grouped by it anyway.
    case 'param':
      return sql`''`;
    case 'period':
      return sql`width_bucket(${at}, ${starts.map(moment)}::timestamptz[])`;
    case 'details':
      return sql`s.usage_details`;
    case 'user':
      return id(sql`s.usage_user`);
    case 'agent':
      return id(sql`s.usage_agent`);
    case 'prompt':
      return id(sql`s.usage_prompt`);
  }
}

function filters({ usage_param, usage_details, usage_user }: UsageFilter, { nil }: Source): Sql {
  const params = usage_param ? sql` AND s.usage_param = ANY (${[...usage_param]}::text[])` : empty;
  const details = usage_details === undefined ? empty : sql` AND s.usage_details = ${usage_details}`;
  if (usage_user === undefined) return sql`${params}${details}`;
  return sql`${params}${details} AND ${usage_user === NIL_ID && !nil ? sql`s.usage_user IS NULL` : sql`s.usage_user = ${usage_user}::uuid`}`;
}
