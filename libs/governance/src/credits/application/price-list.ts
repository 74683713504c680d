import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { UsageParamName } from '../domain/usage-params';
import { PricesRows } from '../infrastructure/prices.rows';

const MILLIONTHS = 1_000_000;

/** What work costs at the prices of this moment, for contexts that tell of it before or beside the charge. */
@Injectable()
export class PriceList {
  constructor(
    private readonly db: Database,
    private readonly prices: PricesRows,
  ) {}

  /** Credits of so many units; a price of the variant before one of all, one of the workspace before the list's. */
  async readCredits(param: UsageParamName, units: number, details = ''): Promise<number> {
    const creditsPerUnit = await this.readUnitPrices();
    return Math.round(units * creditsPerUnit(param, details) * MILLIONTHS) / MILLIONTHS;
  }

  /** Credits per unit of any parameter and variant, for those who show many; the prices are read once. */
  async readUnitPrices(): Promise<(param: UsageParamName, details?: string) => number> {
    const inForce = await this.db.read(() => this.prices.listPricesInForce());
    return (param, details = '') => {
      const price = inForce.find(
        ({ cost_param, cost_details }) => cost_param === param && (cost_details === null || cost_details === details),
      );
      if (!price) throw new Error(`There is no price of ${param}.`);
      return price.cost_credits_per_unit;
    };
  }
}
