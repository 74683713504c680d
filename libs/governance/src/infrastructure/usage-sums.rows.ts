import { empty, join, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { USAGE_PARAMS, USAGE_PARAM_NAMES } from '../domain/usage-params';
import { MAX_ROWS, type Sum } from '../domain/usage-report';
import { partsOf, type Dimension, type PartsQuestion } from './usage-parts';

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
      WITH part AS (${join(partsOf(question), ' UNION ALL ')}),
           known AS MATERIALIZED (
             SELECT ${name(row, sql`f.line`)} AS line, ${name(column, sql`f.col`)} AS col, coalesce(u.unit, f.usage_param) AS unit, f.n, f.units, f.credits
             FROM (SELECT line, col, usage_param, sum(n) AS n, sum(units) AS units, sum(credits) AS credits FROM part GROUP BY line, col, usage_param) f
             LEFT JOIN unnest(${USAGE_PARAM_NAMES}::text[], ${UNITS}::text[]) u(param, unit) ON u.param = f.usage_param),
           places AS MATERIALIZED (SELECT line, ${places} AS place FROM known GROUP BY line)
      SELECT 'total' AS level, NULL AS line, NULL AS col, 0::bigint AS place, ${SUM} FROM known
      UNION ALL SELECT 'row', k.line, NULL, p.place, ${SUM} FROM known k JOIN places p ON p.line = k.line AND p.place <= ${MAX_ROWS} GROUP BY k.line, p.place
      ${cells} ${other}`;
  }
}
