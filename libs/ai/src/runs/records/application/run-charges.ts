import { Injectable } from '@nestjs/common';
import { ChargedCredits, UsageMeter } from '@atrium/governance';
import { addTokens, ModelUsage, NO_TOKENS, type Carried, type TokenUsage } from '@atrium/models';
import { Clock, MINUTE, type JsonObject } from '@atrium/platform/kernel';
import type { Run } from '../domain/run';
import { RunStepsRepository, type StepRow } from '../infrastructure/run-steps.repository';

/** A step with what it took. */
export type UsedStep = Pick<StepRow, 'step' | 'parts' | 'finish' | 'correction'> & {
  readonly usage: TokenUsage;
  readonly carried?: Carried | null;
};

/** What runs cost: each step is charged in the unit of work that keeps it, and what a lost worker took is shown alone. */
@Injectable()
export class RunCharges {
  constructor(
    private readonly steps: RunStepsRepository,
    private readonly usage: ModelUsage,
    private readonly meter: UsageMeter,
    private readonly credits: ChargedCredits,
    private readonly clock: Clock,
  ) {}

  /** Tokens of the step that an attempt was at when its worker was lost: shown, never billed. Within the unit of work that ends or takes over the attempt. */
  chargeLost(run: Run, attempt: number): void {
    const { run_id, run_steps, run_pending_tokens, run_model } = run;
    if (run_pending_tokens === 0) return;
    this.meter.chargeUsage({
      param: 'ai.lost_tokens',
      details: run_model,
      units: run_pending_tokens,
      user: run.run_user,
      agent: run.run_agent,
      ref: refOf(run),
      at: this.clock.now(),
      source: `${run_id}:${run_steps + 1}:ai.lost_tokens:${attempt}`,
    });
    run.clearPending();
  }

  /** Charges a step and keeps it. The charges, one for each parameter; they are made with the commit. */
  async chargeStep(run: Run, { usage, ...made }: UsedStep, state: 'done' | 'stopped', tool_calls = 0): Promise<readonly string[]> {
    const { run_id, run_attempt: attempt, run_model: model } = run;
    const charges = this.usage.chargeStep({
      source: run_id,
      step: made.step,
      usage,
      tool_calls,
      model,
      user: run.run_user,
      agent: run.run_agent,
      prompt: promptOf(run),
      ref: refOf(run),
      hold: run.run_hold,
    });
    await this.steps.addStep(run_id, { ...made, attempt, model, state, usage, charges });
    return charges;
  }

  /** Tokens of all steps, and the credits they took. Charges of this unit of work are made with its commit, so they are estimated. */
  async toUsageAnswer(run: Run, unfinished: TokenUsage | undefined, isOpen: boolean): Promise<JsonObject> {
    const steps = await this.steps.listSteps(run.run_id);
    const total = steps.reduce<TokenUsage>((sum, step) => addTokens(sum, tokensOf(step)), NO_TOKENS);
    const charged = await this.credits.sumCredits(
      steps.flatMap(({ charges }) => charges),
      new Date(run.run_created.getTime() - MINUTE),
    );
    const open = isOpen && unfinished ? await this.creditsOf(run, unfinished) : 0;
    return { ...total, credits: Math.round((charged + open) * 1e6) / 1e6 };
  }

  private async creditsOf({ run_model: model }: Run, usage: TokenUsage): Promise<number> {
    const costs = [
      await this.usage.estimateCredits({ param: 'ai.input_tokens', units: usage.input_tokens - usage.cached_tokens, model }),
      await this.usage.estimateCredits({ param: 'ai.cached_tokens', units: usage.cached_tokens, model }),
      await this.usage.estimateCredits({ param: 'ai.output_tokens', units: usage.output_tokens, model }),
    ];
    return costs.reduce((sum, cost) => sum + cost, 0);
  }
}

const tokensOf = ({ input_tokens, cached_tokens, output_tokens, reasoning_tokens, estimated }: StepRow): TokenUsage => ({
  input_tokens,
  cached_tokens,
  output_tokens,
  reasoning_tokens,
  estimated,
});

const promptOf = ({ run_options }: Run): string | null => (run_options as { readonly prompt_id?: string | null }).prompt_id ?? null;

const refOf = ({ run_id, run_thread, run_message }: Run): JsonObject => ({
  ...(run_thread ? { thread_id: run_thread } : {}),
  ...(run_message ? { message_id: run_message } : {}),
  run_id,
});
