import { empty, join, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { NIL } from '../domain/usage-entry';
import { USAGE_PARAMS, USAGE_PARAM_NAMES } from '../domain/usage-params';
import { MAX_ROWS, type Sum, type UsageFilter } from '../domain/usage-report';
import { cutDays, type CutRange, type Span } from '../domain/usage-spans';

export type Dimension = 'nothing' | 'period' | 'param' | 'details' | 'user' | 'agent' | 'prompt';

/** A price that might be: of a variant, or of all that have none of their own. */
export interface SupposedCost {
  readonly cost_param: string;
  readonly cost_details?: string | null;
  readonly cost_credits_per_unit: number;
}

/** What was charged, and what would have been; of all parameters together where `usage_param` is null. */
export interface SimulatedSum extends Sum {
  readonly usage_param: string | null;
  readonly simulated_credits: number;
}

export interface SumsQuestion {
  readonly range: CutRange;
  /** Where periods begin, in order. */
  readonly starts: readonly number[];
  readonly filter: UsageFilter;
  readonly row: Dimension;
  readonly column: Dimension;
  /** Rows get their rank by credits, and those a report has no place for become `other`. */
  readonly ranked?: boolean;
}

/** Where a sum belongs: all entries, a row, a cell of it, or the rows a report has no place for. */
export interface PlacedSum extends Sum {
  readonly level: 'total' | 'row' | 'cell' | 'other';
  /** A number (from 1) for periods, the name of a parameter, or an id, which is nil for none. */
  readonly line: string | null;
  readonly col: string | null;
  /** Of a row, its rank by credits where the question was ranked. */
  readonly place: number;
}

/** A table that sums are read from. */
interface Source {
  readonly table: Sql;
  readonly at: Sql;
  readonly entries: Sql;
  /** Whether "none" is stored as the nil uuid. */
  readonly nil: boolean;
}

const CELLS: Source = { table: sql`usage_cells`, at: sql`s.cell_start`, entries: sql`s.usage_entries`, nil: true };
const THIN: Source = { ...CELLS, table: sql`usage_thin` };
const DAYS: Source = { ...CELLS, table: sql`usage_days`, at: sql`s.day_start` };
const ENTRIES: Source = { table: sql`usage_entry`, at: sql`s.usage_timestamp`, entries: sql`1::bigint`, nil: false };
const DELTA: Source = { ...ENTRIES, table: sql`usage_delta` };

const UNITS = USAGE_PARAM_NAMES.map((name) => USAGE_PARAMS[name].unit);

const SUM = sql`coalesce(sum(n), 0)::bigint AS usage_entries, CASE WHEN min(unit) IS NOT DISTINCT FROM max(unit) THEN coalesce(sum(units), 0) END AS usage_consumed_units, coalesce(sum(credits), 0) AS usage_consumed_credits`;

/**
 * Sums over usage: one statement over rollups and delta (and the entries of the two edges), so that each entry counts
 * exactly once in its snapshot, whatever the roller does meanwhile. All adding is done here, in numeric.
 */
@Injectable()
export class UsageSumsRows {
  /** The answer to each question, all in one snapshot. */
  async read(tx: UnitOfWork, questions: readonly SumsQuestion[]): Promise<PlacedSum[][]> {
    const rows = await tx.query<PlacedSum & { readonly question: number } & Record<string, unknown>>(this.statement(questions));
    return questions.map((_, index) => rows.filter(({ question }) => question === index));
  }

  statement(questions: readonly SumsQuestion[]): Sql {
    return join(questions.map((question, index) => sql`SELECT ${index}::integer AS question, q.* FROM (${this.answer(question)}) q`), ' UNION ALL ');
  }

  /** Real credits beside those of other prices, by parameter and in all; where no price is supposed, the real ones stand. */
  simulate(tx: UnitOfWork, { range, filter }: Pick<SumsQuestion, 'range' | 'filter'>, costs: readonly SupposedCost[]): Promise<SimulatedSum[]> {
    const given = costs.map(({ cost_param, cost_details = null, cost_credits_per_unit }) => ({ param: cost_param, details: cost_details, price: cost_credits_per_unit }));
    return tx.query<SimulatedSum & Record<string, unknown>>(sql`
      SELECT c.line AS usage_param, coalesce(sum(c.usage_entries), 0)::bigint AS usage_entries, CASE WHEN c.line IS NOT NULL THEN sum(c.usage_consumed_units) END AS usage_consumed_units,
             coalesce(sum(c.usage_consumed_credits), 0) AS usage_consumed_credits, coalesce(sum(coalesce(round(c.usage_consumed_units * g.price, 6), c.usage_consumed_credits)), 0) AS simulated_credits
      FROM (${this.answer({ range, starts: [], filter, row: 'param', column: 'details' })}) c
      LEFT JOIN LATERAL (
        SELECT price FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS p (param text, details text, price numeric)
        WHERE p.param = c.line AND (p.details IS NULL OR p.details = c.col) ORDER BY p.details NULLS LAST LIMIT 1
      ) g ON true
      WHERE c.level = 'cell' GROUP BY GROUPING SETS ((c.line), ())`);
  }

  private answer(question: SumsQuestion): Sql {
    const { ranked = false, row, column } = question;
    const name = (dimension: Dimension, key: Sql): Sql => (dimension === 'param' ? sql`f.usage_param` : sql`${key}::text`);
    const places = ranked ? sql`row_number() OVER (ORDER BY sum(credits) DESC, line)` : sql`1`;
    const cells = column === 'nothing' ? empty : sql`UNION ALL SELECT 'cell', k.line, k.col, 0, ${SUM} FROM known k JOIN places p ON p.line = k.line AND p.place <= ${MAX_ROWS} GROUP BY k.line, k.col`;
    const other = ranked ? sql`UNION ALL SELECT 'other', NULL, NULL, 0, ${SUM} FROM known k JOIN places p ON p.line = k.line AND p.place > ${MAX_ROWS} HAVING count(*) > 0` : empty;
    return sql`
      WITH part AS (${join(this.parts(question), ' UNION ALL ')}),
           known AS MATERIALIZED (
             SELECT ${name(row, sql`f.line`)} AS line, ${name(column, sql`f.col`)} AS col, coalesce(u.unit, f.usage_param) AS unit, f.n, f.units, f.credits
             FROM (SELECT line, col, usage_param, sum(n) AS n, sum(units) AS units, sum(credits) AS credits FROM part GROUP BY line, col, usage_param) f
             LEFT JOIN unnest(${USAGE_PARAM_NAMES}::text[], ${UNITS}::text[]) u(param, unit) ON u.param = f.usage_param),
           places AS MATERIALIZED (SELECT line, ${places} AS place FROM known GROUP BY line)
      SELECT 'total' AS level, NULL AS line, NULL AS col, 0::bigint AS place, ${SUM} FROM known
      UNION ALL SELECT 'row', k.line, NULL, p.place, ${SUM} FROM known k JOIN places p ON p.line = k.line AND p.place <= ${MAX_ROWS} GROUP BY k.line, p.place
      ${cells} ${other}`;
  }

  /** Rollups of the whole quarters of an hour, what is not rolled up yet, and the edges. */
  private parts(question: SumsQuestion): Sql[] {
    const { range, starts } = question;
    const edges = range.edges.map((edge) => part(question, ENTRIES, [edge]));
    if (range.whole.from >= range.whole.until && edges.length > 0) return edges;
    const rest = [part(question, DELTA, [range.whole]), ...edges];
    if (isThin(question)) return [part(question, THIN, [range.whole]), ...rest];
    const { days, cells } = cutDays(range.whole, starts);
    return [...(days.length > 0 ? [part(question, DAYS, days)] : []), ...(cells.length > 0 ? [part(question, CELLS, cells)] : []), ...rest];
  }
}

/** Whether neither a filter nor a group asks for more than time and parameter. */
const isThin = ({ filter, row, column }: SumsQuestion): boolean =>
  filter.usage_details === undefined && filter.usage_user === undefined && [row, column].every((one) => one === 'nothing' || one === 'period' || one === 'param');

const moment = (at: number): Date => new Date(at);

/** What one source has in the spans, in the form all sources share. */
function part({ filter, starts, row, column }: SumsQuestion, source: Source, spans: readonly Span[]): Sql {
  const key = (dimension: Dimension): Sql => keyOf(dimension, source, starts);
  return sql`SELECT ${key(row)} AS line, ${key(column)} AS col, s.usage_param, ${source.entries} AS n, s.usage_consumed_units AS units, s.usage_consumed_credits AS credits FROM ${rowsIn(spans, source, filter)}`;
}

/**
 * Rows of one span, or of many by an index scan each: `OFFSET 0` keeps the planner, which knows nothing of those spans, from
 * reading the whole table instead.
 */
function rowsIn(spans: readonly Span[], source: Source, filter: UsageFilter): Sql {
  const chosen = (begins: Sql, ends: Sql): Sql =>
    sql`${source.table} s WHERE s.tenant_id = ${requireScope().tenant_id} AND ${source.at} >= ${begins} AND ${source.at} < ${ends}${filters(filter, source)}`;
  const [span] = spans;
  if (span && spans.length === 1) return chosen(sql`${moment(span.from)}::timestamptz`, sql`${moment(span.until)}::timestamptz`);
  return sql`unnest(${spans.map(({ from }) => moment(from))}::timestamptz[], ${spans.map(({ until }) => moment(until))}::timestamptz[]) x(begins, ends)
    CROSS JOIN LATERAL (SELECT s.* FROM ${chosen(sql`x.begins`, sql`x.ends`)} OFFSET 0) s`;
}

function keyOf(dimension: Dimension, { at, nil }: Source, starts: readonly number[]): Sql {
  const id = (column: Sql): Sql => (nil ? column : sql`coalesce(${column}, ${NIL}::uuid)`);
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
  return sql`${params}${details} AND ${usage_user === NIL && !nil ? sql`s.usage_user IS NULL` : sql`s.usage_user = ${usage_user}::uuid`}`;
}
