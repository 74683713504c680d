import { Injectable } from '@nestjs/common';
import { CreditLedger, PriceList, UsageMeter, type Hold, type UsageParamName } from '@atrium/governance';
import { Clock, Problem, type JsonObject } from '@atrium/platform/kernel';
import type { TokenUsage } from '../domain/token-usage';

/** Work with a model that is measured. */
export interface MeteredWork {
  readonly param: UsageParamName;
  readonly units: number;
  /** `provider/model`. */
  readonly model: string;
  readonly user: string | null;
  readonly agent?: string | null;
  readonly prompt?: string | null;
}

/** Work that uses several parameters, reserved as one. */
export interface MeteredLines extends Pick<MeteredWork, 'user' | 'agent' | 'prompt'> {
  readonly lines: readonly Pick<MeteredWork, 'param' | 'units' | 'model'>[];
  readonly source: string;
}

/** One step of a run: one call of a model and the tools that it asked for. */
export interface MadeStep extends Pick<MeteredWork, 'model' | 'user' | 'agent' | 'prompt'> {
  /** The run; with the step and the parameter it names the charge, so each is made once. */
  readonly source: string;
  readonly step: number;
  readonly usage: TokenUsage;
  readonly tool_calls?: number;
  readonly ref: JsonObject;
  readonly hold?: string | null;
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
  estimateCredits({ param, units, model }: Omit<MeteredWork, 'user'>): Promise<number> {
    return this.prices.readCredits(param, units, model);
  }

  /** Reserves the credits, or throws `credits_exhausted`, which says who can change that and how. */
  reserveCredits({ param, units, model, ...by }: MeteredWork, source: string): Promise<Hold> {
    return this.reserveLines({ lines: [{ param, units, model }], ...by, source });
  }

  /** The same for work that uses several parameters. */
  async reserveLines({ lines, user, agent = null, prompt = null, source }: MeteredLines): Promise<Hold> {
    try {
      return await this.ledger.reserveCredits({
        lines: lines.map(({ param, units, model }) => ({ param, details: model, units })),
        user,
        agent,
        prompt,
        source,
      });
    } catch (error) {
      throw error instanceof Problem && error.code === 'credits_exhausted' ? withRemedy(error, lines) : error;
    }
  }

  extendHold(hold_id: string): Promise<boolean> {
    return this.ledger.extendHold(hold_id);
  }

  releaseHold(hold_id: string): Promise<void> {
    return this.ledger.releaseHold(hold_id);
  }

  /** Within the unit of work that keeps what the call answered; other calls may follow under the same hold. */
  chargeCall({ call, ...made }: MadeCall): void {
    this.write({ ...made, source: `model:${call}` });
  }

  /** Within the unit of work that keeps the step: an entry for each kind of token that was used. Their ids, for their credits after the commit. */
  chargeStep({ source, step, usage, tool_calls = 0, ...made }: MadeStep): string[] {
    const used: [UsageParamName, number][] = [
      ['ai.input_tokens', usage.input_tokens - usage.cached_tokens],
      ['ai.cached_tokens', usage.cached_tokens],
      ['ai.output_tokens', usage.output_tokens],
      ['ai.tool_calls', tool_calls],
    ];
    return used
      .filter(([, units]) => units > 0)
      .map(([param, units]) => this.write({ ...made, param, units, source: `${source}:${step}:${param}` }));
  }

  private write({ model, hold = null, ...made }: Omit<MadeCall, 'call'> & { readonly source: string }): string {
    return this.meter.chargeUsage({ ...made, details: model, at: this.clock.now(), hold, holdOn: hold !== null });
  }
}

/** The same problem with a sentence on who can resolve it and how. */
function withRemedy(problem: Problem, lines: MeteredLines['lines']): Problem {
  const { model = '' } = lines[0] ?? {};
  const params = lines.map(({ param }) => `"${param}"`).join(' and ');
  return new Problem(
    'credits_exhausted',
    `${problem.detail} The operator of this installation can grant credits with POST /operator/v1/workspaces/{id}/credits or the command "credits grant"; ` +
      `an administrator of the workspace (admin:usage) can change a budget. The operator can also set the price of ${params} by "${model}" to 0, as for a model of the workspace's own.`,
  );
}
