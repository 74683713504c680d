import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { groundingOptions, ModelRefusal } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import type { MessagePart } from '../../threads/domain/message-parts';
import { BrokenOff, modelStep, type StepOutcome } from './model-step';
import type { RunAttempt } from './run-attempt';
import { promptOfSteps, tokensOf, type RunInput } from './run-input';
import type { CheckedCall, RunTool, RunTools } from './run-tools';
import { askedCall, shownCall } from './shown-calls';

/** What a step asks the model. */
export interface StepQuestion {
  readonly prompt: LanguageModelV3Prompt;
  readonly tokens: number;
}

/** Times that a provider is asked while it is busy, fails or breaks off. */
export const TRIES = 3;
const FIRST_PAUSE_MS = 500;

/** The steps of a run: each is one call of the model, committed with the calls of tools that it asks for. */
export class ModelSteps {
  constructor(
    private readonly tools: RunTools,
    private readonly attempt: RunAttempt,
  ) {}

  /** The input of the run, and all that was said and done since. */
  question(input: RunInput, asked: string): StepQuestion {
    const { steps, calls, sources, count } = this.attempt;
    const prompt = [...input.prompt, ...promptOfSteps({ steps, calls, sources: sources.all, asked })];
    return { prompt, tokens: tokensOf(prompt, count) };
  }

  /** One call of the model; one that breaks off is asked again, and what it said is taken back. */
  async ask(
    model: LanguageModelV3,
    { prompt, tokens }: StepQuestion,
    input: RunInput,
    tools: ReadonlyMap<string, RunTool>,
  ): Promise<StepOutcome> {
    const { attempt } = this;
    const { stream, answer, count, plan, signal } = attempt;
    const options = { prompt, ...this.options(input, tools) };
    answer.beginStep();
    attempt.pending = tokens;
    await attempt.checkpoint();
    signal.throwIfAborted();
    for (let time = 1; ; time++) {
      try {
        const outcome = await modelStep(model, { options, inputTokens: tokens, count, silent: plan.schema !== null }, stream);
        // What was not offered is not called: the last step always ends the run.
        return options.tools ? outcome : { ...outcome, calls: [] };
      } catch (error) {
        if (!(error instanceof BrokenOff) || !error.hasBegun || signal.aborted || time >= TRIES || !mayPass(error.cause)) throw error;
        stream.forget();
        stream.change((whole) => whole.dropStep('provider_retry'));
        await pause(FIRST_PAUSE_MS * 2 ** (time - 1), undefined, { signal });
      }
    }
  }

  /** Commits a step. One that is to be corrected is not part of the answer any more. */
  async keep({ text, usage, finish }: StepOutcome, checked: readonly CheckedCall[], correction: string | null): Promise<void> {
    const { attempt } = this;
    const { stream, answer, plan, number } = attempt;
    const step = attempt.steps.length + 1;
    const rows = checked.map((call, position) => askedCall(call, { step, position, attempt: number }));
    for (const row of rows) stream.change((whole) => whole.call(shownCall(row, row.state)));
    stream.note({ op: 'step', step, usage: { ...usage } });
    // A structured answer is not shown as it grows, yet the next step is to know it.
    const unshown: MessagePart[] = plan.schema && text !== '' ? [{ kind: 'text', text }] : [];
    const made = { step, parts: [...answer.stepParts, ...unshown], finish, correction };
    if (correction !== null && answer.stepParts.length > 0) stream.change((whole) => whole.dropStep('provider_retry'));
    const told = await stream.settle();
    await attempt.write((records, held) => {
      attempt.pending = 0;
      return records.step(held, { ...made, usage }, checked, told);
    });
    attempt.steps.push(made);
    attempt.calls.push(...rows);
    answer.beginStep();
  }

  private options(input: RunInput, tools: ReadonlyMap<string, RunTool>): Omit<LanguageModelV3CallOptions, 'prompt'> {
    const { run, plan, loop, steps, signal } = this.attempt;
    const { temperature, top_p, stop, reasoning } = plan.params;
    const offers = loop.offersTools(steps.length + 1) && Date.now() < (run.run_due?.getTime() ?? Infinity);
    const offered = offers ? [...tools.values()].filter(({ name }) => loop.offers(name)) : [];
    return {
      maxOutputTokens: plan.max_output,
      abortSignal: signal,
      providerOptions: {
        ...groundingOptions({ sources: input.sources, ...(plan.greeting ? { greeting: plan.greeting } : {}) }),
        ...effort(reasoning),
      },
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { topP: top_p }),
      ...(stop ? { stopSequences: [...stop] } : {}),
      ...(plan.schema ? { responseFormat: { type: 'json', schema: plan.schema, name: 'answer' } } : {}),
      ...(offered.length > 0 ? { tools: offered.map((tool) => this.tools.offer(tool)), toolChoice: { type: 'auto' } } : {}),
    };
  }
}

const effort = (reasoning: string | undefined): Record<string, { reasoningEffort: string }> =>
  reasoning === undefined || reasoning === 'off' ? {} : { openaiCompatible: { reasoningEffort: reasoning } };

/** The network and the provider may recover; a refusal is final. */
const mayPass = (error: unknown): boolean =>
  error instanceof Problem &&
  !(error instanceof ModelRefusal) &&
  ['upstream_failed', 'upstream_timeout', 'rate_limited', 'service_unavailable'].includes(error.code);
