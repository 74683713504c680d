import { Injectable, Optional } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Ids, Problem } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { isUsageParam, USAGE_DETAILS, type UsageParamName } from '../domain/usage-params';
import { CreditsRows } from '../infrastructure/credits.rows';

/** Work that is to begin, as far as it will cost something. */
export interface Estimate {
  /** What it will use at most … */
  readonly lines?: readonly { readonly param: UsageParamName; readonly details?: string; readonly units: number }[];
  /** … or what it will cost at most. */
  readonly credits?: number;
  readonly user: string | null;
  readonly agent?: string | null;
  readonly prompt?: string | null;
  readonly key?: string | null;
  readonly extension?: string | null;
  /** Names the work; when it asks again, what it had set aside before is replaced. */
  readonly source: string;
}

/** Credits set aside. */
export interface Hold {
  readonly hold_id: string;
  readonly hold_credits: number;
  /** Free again from then on, unless extended. */
  readonly hold_expires_at: Date;
}

/**
 * Sets credits aside before work begins, so that work side by side never spends the same credits twice: neither those of
 * the balance nor those of any budget that binds it. What a killed worker held is free again after a quarter of an hour.
 */
@Injectable()
export class CreditLedger {
  constructor(
    private readonly db: Database,
    private readonly rows: CreditsRows,
    private readonly ids: Ids,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /** A hold, or the problem `credits_exhausted`, which names the balance or budget that does not allow it. */
  async reserveCredits(estimate: Estimate): Promise<Hold> {
    const wanted = this.holdOf(estimate);
    const outcome = await this.db.write(() => this.rows.reserveCredits(wanted));
    if (outcome.hold_id === undefined) {
      if (outcome.bud_id === undefined) this.metrics?.creditsRefused.inc();
      throw exhausted(outcome);
    }
    return { hold_id: outcome.hold_id, hold_credits: Number(outcome.hold_credits), hold_expires_at: new Date(outcome.hold_expires_at) };
  }

  /** Keeps a hold for another quarter of an hour: the heartbeat of long work. False: it is gone, and what was held may be spent by others. */
  extendHold(hold_id: string): Promise<boolean> {
    return this.db.write(() => this.rows.extendHold(hold_id));
  }

  /** Gives back what is still held; of a hold that is gone, nothing. */
  releaseHold(hold_id: string): Promise<void> {
    return this.db.write(() => this.rows.releaseHold(hold_id));
  }

  private holdOf({ lines, credits, user, agent = null, prompt = null, key = null, extension = null, source }: Estimate): object {
    if ((lines === undefined) === (credits === undefined)) throw new Error('An estimate names either lines or credits.');
    const wrong = lines?.find(
      ({ param, details = '', units }) => !isUsageParam(param) || !USAGE_DETAILS.test(details) || !(units >= 0 && units < 1e14),
    );
    if (wrong || (credits !== undefined && !(credits >= 0 && credits < 1e14)))
      throw new Error('An estimate is a parameter of the catalog and an amount that is not below zero.');
    const amounts = lines ? { lines: lines.map(({ details = '', ...line }) => ({ ...line, details })) } : { hold_credits: credits };
    return {
      hold_id: this.ids.next(),
      ...amounts,
      hold_user: user,
      hold_agent: agent,
      hold_prompt: prompt,
      hold_key: key,
      hold_extension: extension,
      hold_source: source,
    };
  }
}

function exhausted({
  needed,
  available,
  bud_id,
  bud_name,
}: {
  readonly needed: number;
  readonly available: number;
  readonly bud_id?: string;
  readonly bud_name?: string;
}): Problem {
  if (bud_id === undefined)
    return new Problem(
      'credits_exhausted',
      `The workspace does not have enough credits: ${needed} are needed, ${available} are available.`,
    );
  return new Problem(
    'credits_exhausted',
    `The budget "${bud_name ?? ''}" does not have enough credits: ${needed} are needed, ${available} remain.`,
  );
}
