import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database, enterWorkspace, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, Ids, invalidField, MINUTE, Problem } from '@atrium/platform/kernel';
import { amountText } from '../domain/credits';
import { PRICE_DECIMALS } from '../domain/price';
import { USAGE_PARAM_NAMES, USAGE_PARAMS, type UsageParamName } from '../domain/usage-params';
import { CreditsRows } from '../infrastructure/credits.rows';
import { PricesRows, type PriceRow } from '../infrastructure/prices.rows';
import { noSuchWorkspace } from './credit-operations';
import { CREDITS_AUDIT } from './credits.service';

export type { PriceRow } from '../infrastructure/prices.rows';

export interface NewPrice {
  readonly cost_param: UsageParamName;
  readonly cost_details?: string | null;
  readonly cost_credits_per_unit: number;
  readonly cost_valid_from?: Date;
  readonly cost_note?: string | null;
}

/** A parameter with what it costs now. */
export interface ParamAnswer {
  readonly usage_param: UsageParamName;
  readonly unit: string;
  readonly description: string;
  readonly cost: readonly Omit<PriceRow, 'cost_note'>[];
}

/** What usage costs: list prices, and prices agreed with a workspace. */
@Injectable()
export class PricesService {
  constructor(
    private readonly db: Database,
    private readonly prices: PricesRows,
    private readonly credits: CreditsRows,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters & { readonly at?: Date }): Promise<Page<PriceRow>> {
    return this.db.read(() => this.prices.listPrices(query));
  }

  async listParams(): Promise<ParamAnswer[]> {
    const inForce = await this.db.read(() => this.prices.listPricesInForce());
    return USAGE_PARAM_NAMES.map((usage_param) => ({
      usage_param,
      unit: USAGE_PARAMS[usage_param].unit,
      description: USAGE_PARAMS[usage_param].about,
      // A remark is for those who keep the accounts.
      cost: inForce.flatMap(({ cost_note: _, ...price }) => (price.cost_param === usage_param ? [price] : [])),
    }));
  }

  listPlatformPrices(): Promise<PriceRow[]> {
    return this.prices.listPlatformPrices();
  }

  /** The list price from a moment on; what was charged before keeps its price. */
  async setList(price: NewPrice): Promise<PriceRow> {
    return expectMade(await this.prices.setList(this.costOf(price)));
  }

  /** The price agreed with one workspace, before the list's. */
  setAgreed(ws_id: string, price: NewPrice): Promise<PriceRow> {
    const cost = this.costOf(price);
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        if (!(await this.credits.hasWorkspace())) throw noSuchWorkspace();
        const made = expectMade(await this.prices.setAgreed(cost));
        const { cost_param, cost_details, cost_credits_per_unit, cost_valid_from } = made;
        this.audit.record({
          type: CREDITS_AUDIT['price.agreed'],
          target: { type: 'price', id: made.cost_id, name: cost_param },
          after: { cost_param, cost_details, cost_credits_per_unit, cost_valid_from: String(cost_valid_from) },
        });
        return made;
      }),
    );
  }

  private costOf({ cost_param, cost_details = null, cost_credits_per_unit, cost_valid_from, cost_note = null }: NewPrice): object {
    if (cost_valid_from && cost_valid_from.getTime() < this.clock.now().getTime() - MINUTE)
      throw invalidField('cost_valid_from', 'must not be in the past: usage that was charged keeps its price', 'past');
    return {
      cost_id: this.ids.next(),
      cost_param,
      cost_details,
      cost_credits_per_unit: amountText('cost_credits_per_unit', cost_credits_per_unit, PRICE_DECIMALS),
      cost_valid_from: cost_valid_from ?? null,
      cost_note,
    };
  }
}

function expectMade(made: PriceRow | undefined): PriceRow {
  if (!made) throw new Problem('invalid_state', 'A price of this parameter that is valid from that time or later already exists.');
  return made;
}
