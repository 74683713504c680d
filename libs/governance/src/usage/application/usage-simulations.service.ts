import { Database } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { USAGE_PARAMS, USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';
import { UsageSumsRows, type SupposedCost } from '../infrastructure/usage-sums.rows';
import { UsageRanges } from './usage-ranges';

export interface SimulationQuery {
  readonly usage_timestamp?: readonly string[] | undefined;
  readonly costs: readonly SupposedCost[];
}

/** What past usage would have cost under other prices; nothing is changed by asking. */
@Injectable()
export class UsageSimulations {
  constructor(
    private readonly db: Database,
    private readonly ranges: UsageRanges,
    private readonly sums: UsageSumsRows,
  ) {}

  simulate({ usage_timestamp: asked, costs }: SimulationQuery): Promise<object> {
    const named = costs.map(({ cost_param, cost_details }) => JSON.stringify([cost_param, cost_details ?? null]));
    if (new Set(named).size < named.length)
      throw invalidField('costs', 'must contain at most one price for each parameter and variant', 'duplicate');
    return this.db.readMany(async (tx) => {
      const { cut, tz, usage_timestamp, edges, as_of } = await this.ranges.resolve(tx, { usage_timestamp: asked });
      const sums = await this.sums.simulate(tx, { range: cut, filter: {} }, costs);
      const total = sums.find(({ usage_param }) => usage_param === null);
      const by_param = USAGE_PARAM_NAMES.flatMap((name) =>
        sums.filter(({ usage_param }) => usage_param === name).map((sum) => ({ ...sum, unit: USAGE_PARAMS[name].unit })),
      );
      const { usage_entries = 0, usage_consumed_credits = 0, simulated_credits = 0 } = total ?? {};
      return { usage_timestamp, tz, total: { usage_entries, usage_consumed_credits, simulated_credits }, by_param, edges, as_of };
    });
  }
}
