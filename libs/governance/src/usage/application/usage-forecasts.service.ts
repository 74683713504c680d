import { Database } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { invalidField } from '@atrium/platform/kernel';
import { forecastUsage, type Forecast } from '../../credits/domain/forecast';
import { CreditsRows } from '../../credits/infrastructure/credits.rows';
import { UsageReports } from './usage-reports.service';
import { USAGE_PARAMS, USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';
import { UsageSumsRows, type SupposedCost } from '../infrastructure/usage-sums.rows';
import { UsageRanges } from './usage-ranges';

export interface SimulationQuery {
  readonly usage_timestamp?: readonly string[] | undefined;
  readonly costs: readonly SupposedCost[];
}

const DEFAULT_HORIZON_DAYS = 30;
const LONGEST_HORIZON_DAYS = 90;

/** What the coming days will cost, and when the credits at hand will be used up. */
@Injectable()
export class UsageForecasts {
  constructor(
    private readonly db: Database,
    private readonly reports: UsageReports,
    private readonly credits: CreditsRows,
    private readonly ranges: UsageRanges,
    private readonly sums: UsageSumsRows,
  ) {}

  forecastUsage(horizonDays = DEFAULT_HORIZON_DAYS): Promise<Forecast> {
    return this.db.read(async (tx) => {
      const { days, now } = await this.reports.readRecentDays(tx);
      const { credit_available } = await this.credits.readCreditState();
      return forecastUsage(days, { now, horizonDays, available: credit_available });
    });
  }

  /** When so many credits will be used up; null when not within 90 days, or when there is too little to judge by. */
  findCreditEnd(available: number): Promise<string | null> {
    return this.db.read(async (tx) => {
      const { days, now } = await this.reports.readRecentDays(tx);
      return forecastUsage(days, { now, horizonDays: LONGEST_HORIZON_DAYS, available }).runs_out_at;
    });
  }

  /** What past usage would have cost under other prices; nothing is changed by asking. */
  simulate({ usage_timestamp: asked, costs }: SimulationQuery): Promise<object> {
    const named = costs.map(({ cost_param, cost_details }) => JSON.stringify([cost_param, cost_details ?? null]));
    if (new Set(named).size < named.length)
      throw invalidField('costs', 'must contain at most one price for each parameter and variant', 'duplicate');
    return this.db.readMany(async (tx) => {
      const { cut, tz, usage_timestamp, edges, as_of } = await this.ranges.resolveRange(tx, { usage_timestamp: asked });
      const sums = await this.sums.simulateCosts(tx, { range: cut, filter: {} }, costs);
      const total = sums.find(({ usage_param }) => usage_param === null);
      const by_param = USAGE_PARAM_NAMES.flatMap((name) =>
        sums.filter(({ usage_param }) => usage_param === name).map((sum) => ({ ...sum, unit: USAGE_PARAMS[name].unit })),
      );
      const { usage_entries = 0, usage_consumed_credits = 0, simulated_credits = 0 } = total ?? {};
      return { usage_timestamp, tz, total: { usage_entries, usage_consumed_credits, simulated_credits }, by_param, edges, as_of };
    });
  }
}
