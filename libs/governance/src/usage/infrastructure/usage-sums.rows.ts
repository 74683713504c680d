import { empty, join, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { USAGE_PARAMS, USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';
import { MAX_ROWS, type Sum } from '../domain/usage-report';
import { partsOf, readsByKey, type Dimension, type PartsQuestion } from './usage-parts';

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

export interface SumsQuestion extends PartsQuestion {
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

const UNITS = USAGE_PARAM_NAMES.map((name) => USAGE_PARAMS[name].unit);

const SUM = sql`coalesce(sum(n), 0)::bigint AS usage_entries, CASE WHEN min(unit) IS NOT DISTINCT FROM max(unit) THEN coalesce(sum(units), 0) END AS usage_consumed_units, coalesce(sum(credits), 0) AS usage_consumed_credits`;

/** Rows by what they cost, then by their key; those beyond the last place share one that is nobody's. */
const RANKED = sql`
  SELECT least(r.place, ${MAX_ROWS + 1}) AS place, CASE WHEN r.place <= ${MAX_ROWS} THEN r.line END AS line, CASE WHEN r.place <= ${MAX_ROWS} THEN r.col END AS col, r.unit, r.n, r.units, r.credits
  FROM (SELECT k.*, dense_rank() OVER (ORDER BY k.cost DESC, k.line) AS place FROM (SELECT known.*, sum(credits) OVER (PARTITION BY line) AS cost FROM known) k) r`;

/**
 * Sums over usage: one statement over rollups and delta (and the entries of the two edges), so that each entry counts
 * exactly once in its snapshot, whatever the roller does in the meantime. All adding is done here, in numeric.
 */
@Injectable()
export class UsageSumsRows {
  /** The answer to each question, all in one snapshot. Planned once where every table is read by its key alone. */
  async readSums(tx: UnitOfWork, questions: readonly SumsQuestion[]): Promise<PlacedSum[][]> {
    const statement = this.sumsStatement(questions);
    const rows = await (questions.every(readsByKey) ? tx.querySteady<Answered>(statement) : tx.query<Answered>(statement));
    return questions.map((_, index) => sumsIn(rows.find(({ question }) => question === index)));
  }

  /** A row a question, its sums by columns: a report has hundreds, and JSON is read many times sooner than rows. */
  sumsStatement(questions: readonly SumsQuestion[]): Sql {
    const columns = sql`json_agg(q.level) AS level, json_agg(q.line) AS line, json_agg(q.col) AS col, json_agg(q.place) AS place,
      json_agg(q.usage_entries) AS usage_entries, json_agg(q.usage_consumed_units) AS usage_consumed_units, json_agg(q.usage_consumed_credits) AS usage_consumed_credits`;
    return join(
      questions.map((question, index) => sql`SELECT ${index}::integer AS question, ${columns} FROM (${this.answer(question)}) q`),
      ' UNION ALL ',
    );
  }

  /** Real credits beside those of other prices, by parameter and in all; where no price is supposed, the real ones stand. */
  simulateCosts(
    tx: UnitOfWork,
    { range, filter }: Pick<SumsQuestion, 'range' | 'filter'>,
    costs: readonly SupposedCost[],
  ): Promise<SimulatedSum[]> {
    const given = costs.map(({ cost_param, cost_details = null, cost_credits_per_unit }) => ({
      param: cost_param,
      details: cost_details,
      price: cost_credits_per_unit,
    }));
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

  /** Every level in one pass over the cells: what has no place is put together before anything is added, and becomes `other`. */
  private answer(question: SumsQuestion): Sql {
    const { ranked = false, row, column } = question;
    const name = (dimension: Dimension, key: Sql): Sql => (dimension === 'param' ? sql`f.usage_param` : sql`${key}::text`);
    const cells = column === 'nothing' ? [empty, sql`1`] : [sql`(place, line, col), `, sql`GROUPING(col)`];
    return sql`
      WITH part AS (${join(partsOf(question), ' UNION ALL ')}),
           known AS (
             SELECT ${name(row, sql`f.line`)} AS line, ${name(column, sql`f.col`)} AS col, coalesce(u.unit, f.usage_param) COLLATE "C" AS unit, f.n, f.units, f.credits
             FROM (SELECT line, col, usage_param, sum(n) AS n, sum(units) AS units, sum(credits) AS credits FROM part GROUP BY line, col, usage_param) f
             LEFT JOIN unnest(${USAGE_PARAM_NAMES}::text[], ${UNITS}::text[]) u(param, unit) ON u.param = f.usage_param),
           placed AS (${ranked ? RANKED : sql`SELECT 1::bigint AS place, k.* FROM known k`})
      SELECT CASE WHEN GROUPING(place) = 1 THEN 'total' WHEN ${cells[1]} = 0 THEN 'cell' WHEN place > ${MAX_ROWS} THEN 'other' ELSE 'row' END AS level,
             line, ${column === 'nothing' ? sql`NULL` : sql`col`} AS col, coalesce(place, 0) AS place, ${SUM}
      FROM placed GROUP BY GROUPING SETS (${cells[0]}(place, line), ()) HAVING ${cells[1]} = 1 OR place <= ${MAX_ROWS}`;
  }
}

interface Answered extends Columns {
  readonly question: number;
}

/** Sums as `sumsStatement` returns them: the n-th of every column belong together. Without any, a column is null. */
type Columns = { readonly [column in keyof PlacedSum]: readonly PlacedSum[column][] | null };

function sumsIn(columns: Columns | undefined): PlacedSum[] {
  const { level, line, col, place, usage_entries, usage_consumed_units, usage_consumed_credits } = columns ?? {};
  return (level ?? []).map((name, i) => ({
    level: name,
    line: line?.[i] ?? null,
    col: col?.[i] ?? null,
    place: place?.[i] ?? 0,
    usage_entries: usage_entries?.[i] ?? 0,
    usage_consumed_units: usage_consumed_units?.[i] ?? null,
    usage_consumed_credits: usage_consumed_credits?.[i] ?? 0,
  }));
}
