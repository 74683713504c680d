import { Injectable } from '@nestjs/common';
import { CreditLedger, PriceList, UsageMeter, type Hold, type UsageParamName } from '@atrium/governance';
import { Clock, Problem, type JsonObject } from '@atrium/platform/kernel';

/** Work with a model that is measured. */
export interface MeteredWork {
  readonly param: UsageParamName;
  readonly units: number;
  /** `provider/model`. */
  readonly model: string;
  readonly user: string | null;
}

/** One call that was made. */
export interface MadeCall extends MeteredWork {
  /** Names the call in every attempt of the work it belongs to: it is charged once. */
  readonly call: string;
  readonly ref: JsonObject;
  readonly hold?: string | null;
}

/** Metering of model calls: credits are reserved before the call, and each call is charged once, with the change that it caused. */
@Injectable()
export class ModelUsage {
  constructor(
    private readonly ledger: CreditLedger,
    private readonly meter: UsageMeter,
    private readonly prices: PriceList,
    private readonly clock: Clock,
  ) {}

  /** What it would cost now. */
  estimate({ param, units, model }: Omit<MeteredWork, 'user'>): Promise<number> {
    return this.prices.creditsOf(param, units, model);
  }

  /** Reserves the credits, or throws `credits_exhausted`, which says who can change that and how. */
  async reserve({ param, units, model, user }: MeteredWork, source: string): Promise<Hold> {
    try {
      return await this.ledger.reserve({ lines: [{ param, details: model, units }], user, source });
    } catch (error) {
      throw error instanceof Problem && error.code === 'credits_exhausted' ? withRemedy(error, { param, model }) : error;
    }
  }

  extend(hold_id: string): Promise<boolean> {
    return this.ledger.extend(hold_id);
  }

  release(hold_id: string): Promise<void> {
    return this.ledger.release(hold_id);
  }

  /** Within the unit of work that keeps what the call answered; other calls may follow under the same hold. */
  charge({ param, units, model, user, call, ref, hold = null }: MadeCall): void {
    this.meter.charge({
      param,
      details: model,
      units,
      user,
      ref,
      at: this.clock.now(),
      source: `model:${call}`,
      hold,
      holdOn: hold !== null,
    });
  }
}

/** The same problem with a sentence on who can resolve it and how. */
const withRemedy = (problem: Problem, { param, model }: Pick<MeteredWork, 'param' | 'model'>): Problem =>
  new Problem(
    'credits_exhausted',
    `${problem.detail} The operator of this installation can grant credits, with POST /operator/v1/workspaces/{id}/credits or the command "credits grant"; ` +
      `an administrator of the workspace (admin:usage) can change a budget. The operator can also set a price of 0 for "${param}" by "${model}", as for a model of the workspace's own.`,
  );
