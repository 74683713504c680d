import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { groundingOptions, ModelRefusal, ModelUsage } from '@atrium/models';
import { Clock, Problem } from '@atrium/platform/kernel';
import type { MessagePart } from '../../../threads/domain/message-parts';
import type { KnownAddresses } from '../domain/known-addresses';
import type { ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { withKnownMarkers } from './cited-answer';
import { BrokenOff, isBlank, modelStep, type StepOutcome } from './model-step';
import type { RunAttempt } from './run-attempt';
import { promptOfSteps, type RunInput } from '../../prompt/run-input';
import type { CheckedCall } from '../../records/application/run-records';
import { RunTools, type RunTool } from './run-tools';
import { askedCall, shownCall } from '../../records/application/shown-calls';
import { fittingPrompt, textsOf, type StepQuestion } from '../../prompt/step-prompt';

/** Times that a provider is asked while it is busy, fails or breaks off. */
export const TRIES = 3;
const FIRST_PAUSE_MS = 500;

/** What a step is asked with besides the input of its run. */
interface AskedWith {
  /** The question of the run, which comes again behind each correction. */
  readonly asked: string;
  readonly tools: ReadonlyMap<string, RunTool>;
  readonly offered: ReadonlyMap<string, RunTool>;
}

/** What became of what a step said: its calls, each with what keeps it from being made, or what the model is to correct. */
interface CheckedStep {
  readonly checked: readonly CheckedCall[];
  readonly correction: string | null;
}

/** One call of the model. */
interface ModelRequest {
  readonly model: LanguageModelV3;
  readonly question: StepQuestion;
  readonly input: RunInput;
  readonly offered: ReadonlyMap<string, RunTool>;
  /** Addresses that the answer may have. */
  readonly known: KnownAddresses;
}

/** The steps of a run: each is one call of the model, committed with the calls of tools that it asks for. */
@Injectable()
export class ModelSteps {
  constructor(
    private readonly tools: RunTools,
    private readonly usage: ModelUsage,
    private readonly clock: Clock,
  ) {}

  /** Of the tools of the run those that the next step is offered; what is not among them is not called. */
  filterOfferedTools({ loop, run, steps }: RunAttempt, tools: ReadonlyMap<string, RunTool>): ReadonlyMap<string, RunTool> {
    const offers = loop.offersTools(steps.length + 1) && !run.isDue(this.clock);
    return new Map(offers ? [...tools].filter(([name]) => loop.isOffered(name)) : []);
  }

  /** The input of the run, and all that was said and done since, as far as the model takes it. */
  async buildQuestion(
    { steps, calls, sources, inputCount: count }: RunAttempt,
    input: RunInput,
    { asked, tools, offered }: AskedWith,
  ): Promise<StepQuestion> {
    const acts = actsOf(calls, tools);
    const done = steps.map((step) => promptOfSteps({ steps: [step], calls, sources: sources.all, asked }));
    await count.learn(textsOf([input.system, ...input.turns, input.question, ...done.flat()]));
    return fittingPrompt({ ...input, steps: done, tools: this.tools.describeTools(offered), acts }, input.budget, count);
  }

  /**
   * Begins a step with the credits for it set aside, all that it is asked with included: with the question only its own text was known,
   * and neither history nor what was found. They take the place of what was set aside before. False where there are none left.
   */
  async reserveCredits(attempt: RunAttempt, inputTokens: number): Promise<boolean> {
    const { run, plan } = attempt;
    const reserve = () =>
      this.usage.reserveLines({
        lines: [
          { param: 'ai.input_tokens', units: inputTokens, model: run.run_model },
          { param: 'ai.output_tokens', units: plan.max_output, model: run.run_model },
        ],
        user: run.run_user,
        agent: run.run_agent,
        prompt: plan.prompt_id,
        source: `run:${run.run_id}`,
      });
    try {
      await attempt.beginStep(inputTokens, reserve);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'credits_exhausted') return false;
      throw error;
    }
  }

  /** One call of the model; one that breaks off, or brings nothing, is asked again, and what it said is taken back. */
  async askModel(attempt: RunAttempt, { model, question, input, offered, known }: ModelRequest): Promise<StepOutcome> {
    const { stream, count, plan, signal } = attempt;
    const { prompt, tokens } = question;
    const options = { prompt, ...this.options(attempt, input, offered) };
    signal.throwIfAborted();
    let wasBlank = false;
    for (let time = 1; ; time++) {
      try {
        const said = await modelStep(
          model,
          { options, inputTokens: tokens, count, silent: plan.schema !== null, holds: holdsText(plan), known },
          stream,
        );
        // What was not offered is not called: the last step always ends the run.
        const outcome = options.tools ? said : { ...said, calls: [] };
        if (!isBlank(outcome)) return outcome;
        if (wasBlank || outcome.finish === 'length') throw noAnswer(attempt.run.run_model, outcome, plan.max_output);
        wasBlank = true;
        stream.retractStep();
      } catch (error) {
        if (!(error instanceof BrokenOff) || !error.hasBegun || signal.aborted || time >= TRIES || !mayPass(error.cause)) throw error;
        stream.retractStep();
        await pause(pauseOf(time), undefined, { signal });
      }
    }
  }

  /** Commits a step. One that is to be corrected is not part of the answer any more. */
  async commitStep(
    attempt: RunAttempt,
    { text, held, usage, finish, carried = null }: StepOutcome,
    { checked, correction }: CheckedStep,
  ): Promise<void> {
    const isHeld = holdsText(attempt.plan) && (checked.length > 0 || correction !== null || !isSupported(attempt, text, finish));
    if (held && !isHeld) for (const kind of ['reasoning', 'text'] as const) attempt.stream.writeText(kind, held[kind]);
    await this.keepStep(
      attempt,
      { text, usage, finish, carried, isUnshown: isHeld || attempt.plan.schema !== null },
      { checked, correction },
    );
  }

  private async keepStep(
    attempt: RunAttempt,
    { text, usage, finish, carried = null, isUnshown }: Omit<StepOutcome, 'held' | 'calls'> & { readonly isUnshown: boolean },
    { checked, correction }: CheckedStep,
  ): Promise<void> {
    const { stream, answer, number } = attempt;
    const step = attempt.steps.length + 1;
    const rows = checked.map((call, position) => askedCall(call, { step, position, attempt: number }));
    for (const row of rows) stream.applyChange((whole) => whole.setCall(shownCall(row, row.state)));
    stream.sendNote({ op: 'step', step, usage: { ...usage } });
    // What was not shown the next step is to know all the same.
    const unshown: MessagePart[] = isUnshown && text !== '' ? [{ kind: 'text', text }] : [];
    const made = { step, parts: [...answer.stepParts, ...unshown], finish, correction, carried: checked.length > 0 ? carried : null };
    if (correction !== null && answer.stepParts.length > 0) stream.retractStep();
    const told = await stream.sendRemaining();
    await attempt.writeRecords((records, held) => {
      attempt.pending = 0;
      return records.recordStep(held, { ...made, usage }, checked, told);
    });
    attempt.steps.push(made);
    attempt.calls.push(...rows);
    answer.beginStep();
  }

  private options(
    { plan, signal }: RunAttempt,
    input: RunInput,
    offered: ReadonlyMap<string, RunTool>,
  ): Omit<LanguageModelV3CallOptions, 'prompt'> {
    const { temperature, top_p, stop, reasoning } = plan.params;
    return {
      maxOutputTokens: plan.max_output,
      abortSignal: signal,
      providerOptions: groundingOptions({
        sources: input.sources,
        ...(plan.greeting ? { greeting: plan.greeting } : {}),
        ...(reasoning ? { reasoning } : {}),
      }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { topP: top_p }),
      ...(stop ? { stopSequences: [...stop] } : {}),
      ...(plan.schema ? { responseFormat: { type: 'json', schema: plan.schema, name: 'answer' } } : {}),
      ...(offered.size > 0 ? { tools: this.tools.describeTools(offered), toolChoice: { type: 'auto' } } : {}),
    };
  }
}

/** An answer that has to cite is shown once it does: nobody is to read what is taken back. */
const holdsText = ({ retrieval, schema }: RunAttempt['plan']): boolean => retrieval.require && schema === null;

/** Whether an answer that has to cite does. */
function isSupported({ sources }: RunAttempt, text: string, finish: StepOutcome['finish']): boolean {
  const known = new Set(sources.all.map(({ n }) => n));
  return finish === 'filter' || withKnownMarkers(text, known).cited.size > 0;
}

/** Nothing that could be shown came of it, also when it was asked again. */
function noAnswer(model: string, { finish, usage }: StepOutcome, most: number): Problem {
  if (finish === 'length')
    return new Problem(
      'unprocessable_content',
      `The model ${model} used up the ${most} tokens of its answer before it said a word. Raise max_output_tokens, or lower the effort of reasoning.`,
    );
  const what = usage.reasoning_tokens > 0 ? 'thought and gave no answer' : 'gave no answer';
  return new Problem('upstream_failed', `The model ${model} ${what}, asked twice. Ask again, or choose another model.`);
}

const OUTCOMES: Partial<Record<ToolCallRow['state'], string>> = {
  done: 'done',
  error: 'failed',
  denied: 'denied',
  unknown: 'may have happened',
};

/** What came of each call that did more than read. A tool that is not there any more may have been one of these. */
export const actsOf = (calls: readonly ToolCallRow[], tools: ReadonlyMap<string, RunTool>): ReadonlyMap<string, string> =>
  new Map(
    calls.flatMap(({ call_id, tool, state, invalid }): [string, string][] => {
      const outcome = invalid || tools.get(tool)?.risk === 'read' ? undefined : OUTCOMES[state];
      return outcome === undefined ? [] : [[call_id, outcome]];
    }),
  );

/** Longer each time, and never the same, so that runs which a provider failed together do not come back together. */
export const pauseOf = (time: number, chance = Math.random()): number => FIRST_PAUSE_MS * 2 ** (time - 1) * (0.5 + chance);

/** The network and the provider may recover; a refusal is final. */
const mayPass = (error: unknown): boolean =>
  error instanceof Problem &&
  !(error instanceof ModelRefusal) &&
  ['upstream_failed', 'upstream_timeout', 'rate_limited', 'service_unavailable'].includes(error.code);
