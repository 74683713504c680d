import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { ActingCallers } from '@atrium/identity';
import { groundingOptions, ModelRefusal, type ModelUsage, type TextModels, type TokenUsage } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { Problem, SECOND, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { StreamFenced } from '@atrium/platform/messaging';
import { textOf, type MessagePart, type ToolPart } from '../../threads/domain/message-parts';
import type { Answer } from '../domain/answer';
import type { Count } from '../domain/input-budget';
import { JsonCheck, jsonIn } from '../domain/json-check';
import type { RunPlan } from '../domain/run-plan';
import { RunSources, type RunSource } from '../domain/run-source';
import { ToolLoop } from '../domain/tool-loop';
import type { StepRow, ToolCallRow } from '../infrastructure/run-steps.repository';
import { waitOf, type AnswerStream } from './answer-stream';
import { citationsOf, withKnownMarkers } from './cited-answer';
import { BrokenOff, modelStep, type StepOutcome } from './model-step';
import type { ClaimedRun } from './run-claims';
import { promptOfSteps, tokensOf, type RunInput, type RunInputs } from './run-input';
import type { RunGround, RunMaterials } from './run-materials';
import { Superseded, type Ending, type Held, type RunRecords } from './run-records';
import type { RunSearch } from './run-search';
import type { CheckedCall, RunTool, RunTools } from './run-tools';

/** What courses are made with. */
export interface CourseParts {
  readonly db: Database;
  readonly records: RunRecords;
  readonly callers: ActingCallers;
  readonly models: TextModels;
  readonly usage: ModelUsage;
  readonly inputs: RunInputs;
  readonly materials: RunMaterials;
  readonly search: RunSearch;
  readonly tools: RunTools;
}

/** The run that a course is of. */
export interface CourseOf {
  readonly claimed: ClaimedRun;
  readonly plan: RunPlan;
  readonly answer: Answer;
  readonly stream: AnswerStream;
  readonly mark: string;
  readonly count: Count;
  /** Aborted when somebody stops the run. */
  readonly stop: AbortController;
  /** Aborted when the worker shuts down. */
  readonly shutdown: AbortSignal;
  readonly answersAfter: number;
}

const CHECKPOINT_MS = 2 * SECOND;
const TRIES = 3;
const FIRST_PAUSE_MS = 500;
const AT_ONCE = 4;
const UNSUPPORTED = 'I have no supported answer to this.';

/** The course of one attempt: step after step until the answer is there, somebody is needed, or it cannot go on. */
export class RunCourse {
  private readonly held: Held;
  private readonly sources: RunSources;
  private readonly loop: ToolLoop;
  private readonly steps: Pick<StepRow, 'step' | 'parts'>[];
  private readonly calls: ToolCallRow[];
  private readonly signal: AbortSignal;
  private tainted: string | null;
  /** What the model is asked to correct, once its answer could not be accepted. */
  private correction: string | null = null;
  private pending = 0;
  private writes: Promise<unknown> = Promise.resolve();
  /** What the last step said, where it is not shown as it grows. */
  private finalText = '';

  constructor(
    private readonly parts: CourseParts,
    private readonly of: CourseOf,
  ) {
    const { run, attempt, steps, calls } = of.claimed;
    this.held = { run, attempt };
    this.sources = new RunSources(run.run_sources as unknown as readonly RunSource[]);
    this.loop = new ToolLoop(of.plan.max_steps);
    for (const { tool, input, error, state } of calls)
      this.loop.note({ tool, input, isInvalid: state === 'error' && (error ?? '').startsWith('The input') });
    this.steps = [...steps];
    this.calls = [...calls];
    this.tainted = run.run_tainted;
    this.signal = AbortSignal.any([of.stop.signal, of.shutdown]);
  }

  async run(): Promise<void> {
    const checkpoints = setInterval(() => void this.checkpoint(), CHECKPOINT_MS).unref();
    try {
      await this.goOn();
    } catch (error) {
      if (error instanceof Superseded || error instanceof StreamFenced) throw error;
      if (this.of.stop.signal.aborted) return await this.end({ status: 'stopped', finish: 'stopped' }, usageIn(error));
      if (this.of.shutdown.aborted) {
        const told = await this.of.stream.settle();
        await this.inTurn(() => this.parts.records.checkpoint(this.held, told, this.pending));
        throw error;
      }
      const problem = problemIn(error);
      if (!problem) throw error;
      await this.end({ status: 'failed', finish: 'error', error: { code: problem.code, detail: problem.detail } }, usageIn(error));
    } finally {
      clearInterval(checkpoints);
    }
  }

  private async goOn(): Promise<void> {
    const { plan } = this.of;
    if (this.held.run.run_stop_requested) return this.end({ status: 'stopped', finish: 'stopped' });
    let actor = await this.actor();
    const ground = await this.parts.materials.of(this.held.run, actor, this.signal);
    if (this.steps.length === 0 && this.of.answer.parts.length === 0)
      for (const notice of ground.notices) this.of.stream.change((answer) => answer.add(notice));
    const input = await this.inputOf(actor, ground);
    const model = await (await this.parts.models.resolve(this.held.run.run_model)).open({ signal: this.signal, tries: TRIES });
    let tools = await this.parts.tools.of(actor, plan.tools, withoutFor(plan, ground));
    const open = this.calls.filter(({ state }) => state === 'pending' || state === 'running');
    if (open.length > 0 && (await this.work(open, tools, actor, ground)) === 'waits') return;
    for (let step = this.steps.length + 1; ; step++) {
      const last = this.steps.at(-1);
      if (last && this.correction === null && !this.calls.some((call) => call.step === last.step)) {
        this.finalText = textOf(last.parts);
        return this.finish('stop');
      }
      if (step > 1 && !(await this.affords(input.tokens))) return this.runsDry();
      actor = await this.actor();
      tools = await this.parts.tools.of(actor, plan.tools, withoutFor(plan, ground));
      const outcome = await this.ask(model, step, input, ground, tools);
      this.finalText = outcome.text;
      const checked = this.checkedCalls(outcome, tools);
      await this.keepStep(step, outcome, checked);
      if (checked.length > 0) {
        const made = this.calls.filter((call) => call.step === step && call.state === 'pending');
        if ((await this.work(made, tools, actor, ground)) === 'waits') return;
      } else if (!(await this.isToBeAskedAgain(step, outcome))) return this.finish(outcome.finish);
      if (this.of.answer.isFull) return this.finish('length');
    }
  }

  private actor(): Promise<Principal> {
    const { run_user, run_key } = this.held.run;
    if (run_user === null) throw new Problem('permission_denied', 'A run without a person cannot read anything.');
    return this.parts.callers.of({ user_id: run_user, key_id: run_key });
  }

  /** Memories and, where the agent always searches, passages are found once and keep their numbers. */
  private async inputOf(actor: Principal, ground: RunGround): Promise<RunInput> {
    const { plan, mark } = this.of;
    const { run } = this.held;
    if (this.sources.all.length === 0 && this.steps.length === 0) {
      if (ground.memory) this.sources.add(await this.parts.materials.memoriesFor(actor.user_id, ground.question));
      if (plan.retrieval.mode === 'always') this.sources.add(await this.searched(actor, ground, ground.question));
      await this.inTurn(() => this.parts.records.found(this.held, this.sources.all));
    }
    const byTools = new Set(this.calls.flatMap(passagesOf));
    const found = this.sources.all.filter(({ n }) => !byTools.has(n) || plan.retrieval.mode === 'always');
    const input = await this.parts.inputs.of({ ...ground, found }, mark);
    run.run_pending_tokens = input.tokens;
    return input;
  }

  private searched(actor: Principal, { hasFiles }: RunGround, query: string, k?: number) {
    const { plan } = this.of;
    return this.parts.search.find(actor, { plan, thread_id: this.held.run.run_thread, hasFiles }, query, k);
  }

  /** One call of the model; one that breaks off is asked again, and what it said is taken back. */
  private async ask(
    model: LanguageModelV3,
    step: number,
    input: RunInput,
    ground: RunGround,
    tools: ReadonlyMap<string, RunTool>,
  ): Promise<StepOutcome> {
    const { stream, answer, count, plan } = this.of;
    const options = this.optionsOf(step, input, tools, ground);
    const inputTokens = tokensOf(options.prompt, count);
    answer.beginStep();
    this.pending = inputTokens;
    await this.checkpoint();
    for (let attempt = 1; ; attempt++) {
      try {
        return await modelStep(model, { options, inputTokens, count, silent: plan.schema !== null }, stream);
      } catch (error) {
        if (!(error instanceof BrokenOff) || this.signal.aborted || attempt >= TRIES || !mayPass(error.cause)) throw error;
        stream.forget();
        stream.change((whole) => whole.dropStep('provider_retry'));
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: this.signal });
      }
    }
  }

  private optionsOf(step: number, input: RunInput, tools: ReadonlyMap<string, RunTool>, { plan }: RunGround): LanguageModelV3CallOptions {
    const { temperature, top_p, stop, reasoning } = plan.params;
    const offers = this.loop.offersTools(step) && Date.now() < this.of.answersAfter;
    const offered = offers ? [...tools.values()].filter(({ name }) => this.loop.offers(name)) : [];
    const correction: LanguageModelV3Prompt =
      this.correction === null ? [] : [{ role: 'user', content: [{ type: 'text', text: this.correction }] }];
    return {
      prompt: [...input.prompt, ...promptOfSteps(this.steps, this.calls, this.sources.all), ...correction],
      maxOutputTokens: plan.max_output,
      abortSignal: this.signal,
      providerOptions: {
        ...groundingOptions({ sources: input.sources, ...(plan.greeting ? { greeting: plan.greeting } : {}) }),
        ...effort(reasoning),
      },
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { topP: top_p }),
      ...(stop ? { stopSequences: [...stop] } : {}),
      ...(plan.schema ? { responseFormat: { type: 'json', schema: plan.schema, name: 'answer' } } : {}),
      ...(offered.length > 0 ? { tools: offered.map((tool) => this.parts.tools.offer(tool)), toolChoice: { type: 'auto' } } : {}),
    };
  }

  private checkedCalls({ calls }: StepOutcome, tools: ReadonlyMap<string, RunTool>): CheckedCall[] {
    const known = new Set(this.calls.map(({ call_id }) => call_id));
    return calls.map((asked, at) => {
      // Some providers number their calls from the beginning again in each step.
      const call_id =
        known.has(asked.call_id) || asked.call_id === '' ? `${asked.call_id || 'call'}-${this.steps.length + 1}-${at + 1}` : asked.call_id;
      known.add(call_id);
      const call = this.parts.tools.check({ ...asked, call_id }, tools, this.loop, this.tainted !== null);
      this.loop.note({ tool: call.tool, input: call.input, isInvalid: call.isInvalid });
      return call;
    });
  }

  private async keepStep(step: number, { usage }: StepOutcome, checked: readonly CheckedCall[]): Promise<void> {
    const { stream, answer } = this.of;
    for (const call of checked) stream.change((whole) => whole.call(partOf(call)));
    stream.note({ op: 'step', step, usage: { ...usage } });
    const told = await stream.settle();
    // A structured answer is not shown as it grows, yet the next step is to know it.
    const unshown: MessagePart[] = this.of.plan.schema && this.finalText !== '' ? [{ kind: 'text', text: this.finalText }] : [];
    const parts = [...answer.stepParts, ...unshown];
    await this.inTurn(() => this.parts.records.step(this.held, { step, parts, usage }, checked, told));
    this.pending = 0;
    this.steps.push({ step, parts });
    const { attempt } = this.held;
    this.calls.push(...checked.map((call, position): ToolCallRow => ({ ...rowOf(call), step, position, attempt })));
    answer.beginStep();
  }

  /** Makes the calls that may be made, a few at a time; whether somebody is needed for others. */
  private async work(
    calls: readonly ToolCallRow[],
    tools: ReadonlyMap<string, RunTool>,
    actor: Principal,
    ground: RunGround,
  ): Promise<'waits' | 'done'> {
    const ready = calls.filter(({ waits_for }) => waits_for === null);
    const line = [...ready];
    const lane = async (): Promise<void> => {
      for (let call = line.shift(); call && !this.signal.aborted; call = line.shift()) await this.make(call, tools, actor, ground);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    this.signal.throwIfAborted();
    const waiting = this.calls.filter(({ state, waits_for }) => state === 'pending' && waits_for !== null);
    if (waiting.length === 0) return 'done';
    this.of.stream.note(waitOf(waiting));
    const told = await this.of.stream.settle();
    await this.inTurn(() => this.parts.records.waits(this.held, told));
    return 'waits';
  }

  private async make(call: ToolCallRow, tools: ReadonlyMap<string, RunTool>, actor: Principal, ground: RunGround): Promise<void> {
    const { run } = this.held;
    const tool = tools.get(call.tool);
    // A worker was lost with it: whether it happened is not known.
    if (call.state === 'running' && !call.idempotent)
      return this.settle(call, { state: 'unknown', output: null, shown: null, error: 'The outcome is unknown.' });
    await this.inTurn(() => this.parts.records.callBegins(this.held, call.call_id));
    this.of.stream.change((answer) => answer.call(shownCall(call, 'running')));
    const began = Date.now();
    try {
      if (!tool) throw new Problem('not_found', `The tool ${call.tool} is not available any more.`);
      const scene = {
        actor,
        thread_id: run.run_thread,
        memory: ground.memory,
        signal: this.signal,
        search: (query: string, k: number | undefined) => this.searched(actor, ground, query, k),
        number: (found: Parameters<RunSources['add']>[0]) => this.sources.add(found),
        subject: () => (ground.thread ? this.parts.materials.subjectOf(ground.thread, actor) : Promise.resolve(null)),
      };
      const { output, shown, taint, file_id } = await this.parts.tools.run(tool, call.input, `${run.run_id}:${call.call_id}`, scene);
      this.tainted ??= taint ?? null;
      await this.settle(call, { state: 'done', output, shown, error: null }, Date.now() - began);
      if (file_id) this.of.stream.change((answer) => answer.add({ kind: 'file', file_id }));
    } catch (error) {
      if (this.signal.aborted || error instanceof Superseded) throw error;
      const problem = problemIn(error) ?? new Problem('internal_error', 'The tool failed.');
      await this.settle(call, { state: 'error', output: null, shown: null, error: problem.detail }, Date.now() - began);
    }
  }

  private async settle(call: ToolCallRow, end: Pick<ToolCallRow, 'state' | 'output' | 'shown' | 'error'>, ms?: number): Promise<void> {
    const { stream } = this.of;
    const settled = { ...call, ...end, waits_for: null };
    stream.change((answer) => answer.call(shownCall(settled, end.state, ms)));
    const told = await stream.settle();
    const beside = { told, sources: this.sources.all, taint: this.tainted };
    await this.inTurn(() => this.parts.records.callEnds(this.held, settled, beside));
    this.calls[this.calls.findIndex(({ call_id }) => call_id === call.call_id)] = settled;
  }

  /** Whether the credits for another step are there. */
  private async affords(inputTokens: number): Promise<boolean> {
    const { run } = this.held;
    const { plan } = this.of;
    try {
      const lines = [
        { param: 'ai.input_tokens' as const, units: inputTokens, model: run.run_model },
        { param: 'ai.output_tokens' as const, units: plan.max_output, model: run.run_model },
      ];
      const { hold_id } = await this.parts.usage.reserveLines({
        lines,
        user: run.run_user,
        agent: run.run_agent,
        prompt: plan.prompt_id,
        source: `run:${run.run_id}`,
      });
      run.run_hold = hold_id;
      await this.inTurn(() => this.parts.records.holds(this.held, hold_id));
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'credits_exhausted') return false;
      throw error;
    }
  }

  private async runsDry(): Promise<void> {
    const detail = 'The credits of the workspace ran out; the answer ends here.';
    this.of.stream.change((answer) => answer.add({ kind: 'notice', code: 'credits_exhausted', detail }));
    await this.end({ status: 'completed', finish: 'length' });
  }

  /** An answer that breaks a rule of the agent is asked for once more. */
  private async isToBeAskedAgain(step: number, { text, finish }: StepOutcome): Promise<boolean> {
    const { plan, stream } = this.of;
    if (this.correction !== null || finish === 'filter' || step > plan.max_steps) return false;
    if (plan.schema) {
      const faults = faultsOf(plan.schema, text);
      if (faults.length === 0) return false;
      this.correction = `The answer does not follow the JSON Schema: ${faults.join('; ')}. Answer again with one JSON object and nothing else.`;
      return true;
    }
    if (!plan.retrieval.require || withKnownMarkers(text, this.numbers).cited.size > 0) return false;
    this.correction =
      'Answer only with what the numbered data says, and cite the number behind each sentence. If it holds no answer, say so.';
    stream.change((answer) => answer.dropLast('provider_retry'));
    await stream.settle();
    return true;
  }

  private get numbers(): ReadonlySet<number> {
    return new Set(this.sources.all.map(({ n }) => n));
  }

  /** The answer is whole: numbers of sources are checked, quotes are found, and it is stored. */
  private async finish(finish: StepOutcome['finish']): Promise<void> {
    const { plan, stream, answer } = this.of;
    if (plan.schema) return this.finishStructured(finish);
    const cited = new Set<number>();
    answer.parts.forEach((part, at) => {
      if (part.kind !== 'text') return;
      const known = withKnownMarkers(part.text, this.numbers);
      for (const n of known.cited) cited.add(n);
      if (known.text !== part.text) stream.change((whole) => whole.replace(at, { kind: 'text', text: known.text }));
    });
    if (plan.retrieval.require && cited.size === 0 && finish !== 'filter') {
      answer.parts.forEach((part, at) => {
        if (part.kind === 'text' && at >= this.lastTextAt) stream.change((whole) => whole.replace(at, { kind: 'text', text: UNSUPPORTED }));
      });
      stream.change((whole) => whole.add({ kind: 'notice', code: 'ungrounded', detail: 'No source supports an answer.' }));
    }
    const texts = answer.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const citations = citationsOf(
      texts,
      this.sources.all.filter(({ n }) => cited.has(n)),
    );
    if (citations.length > 0) stream.note({ op: 'citations', citations: citations as unknown as JsonObject[] });
    await this.end({ status: 'completed', finish, citations });
  }

  private get lastTextAt(): number {
    return this.of.answer.parts.findLastIndex(({ kind }) => kind === 'text');
  }

  private async finishStructured(finish: StepOutcome['finish']): Promise<void> {
    const { plan, stream } = this.of;
    const value = jsonIn(this.finalText);
    if (finish !== 'filter' && value !== undefined && plan.schema && faultsOf(plan.schema, this.finalText).length === 0) {
      stream.change((whole) => whole.add({ kind: 'data', value }));
      return this.end({ status: 'completed', finish, data: value });
    }
    stream.change((whole) => whole.add({ kind: 'notice', code: 'unprocessable_content', detail: this.finalText.slice(0, 10_000) }));
    const error = { code: 'unprocessable_content', detail: 'The model did not answer by the JSON Schema, asked twice.' };
    await this.end({ status: 'failed', finish: 'error', error });
  }

  private async end(ending: Omit<Ending, 'parts'>, unfinished: TokenUsage | null = null): Promise<void> {
    const told = await this.of.stream.settle();
    const whole = { ...ending, parts: told.parts, ...(unfinished ? { unfinished } : {}) };
    await this.inTurn(() => this.parts.records.ends(this.held, whole, told.id));
  }

  /** One write after the other: what is kept never goes back to what followers saw before. */
  private inTurn<T>(write: () => Promise<T>): Promise<T> {
    const next = this.writes.then(write);
    this.writes = next.catch(() => undefined);
    return next;
  }

  private async checkpoint(): Promise<void> {
    const { stream, count, stop } = this.of;
    const said = stream.told.parts.slice(this.of.answer.parts.length - this.of.answer.stepParts.length);
    const written = said.reduce((sum, part) => sum + (part.kind === 'text' || part.kind === 'reasoning' ? count(part.text) : 0), 0);
    try {
      const { stop: isToStop } = await this.inTurn(() => this.parts.records.checkpoint(this.held, stream.told, this.pending + written));
      if (isToStop) stop.abort();
    } catch (error) {
      if (error instanceof Superseded) stop.abort(error);
    }
  }
}

const NO_MEMORY = new Set(['remember', 'forget']);
const NO_SEARCH = ['search_knowledge'];

/** Tools that this run cannot use: memories of nobody, a search that is off, a subject that there is none. */
function withoutFor({ retrieval }: RunPlan, { memory, thread }: RunGround): ReadonlySet<string> {
  return new Set([
    ...(memory ? [] : NO_MEMORY),
    ...(retrieval.mode === 'tool' ? [] : NO_SEARCH),
    ...(thread?.thread_ref ? [] : ['get_subject']),
    ...(thread ? [] : ['create_document']),
  ]);
}

const rowOf = ({
  call_id,
  tool,
  input,
  fault,
  waits_for,
  idempotent,
}: CheckedCall): Omit<ToolCallRow, 'step' | 'position' | 'attempt'> => ({
  call_id,
  tool,
  input,
  output: null,
  shown: null,
  error: fault,
  state: fault === null ? 'pending' : 'error',
  waits_for,
  approved: null,
  idempotent,
  started: null,
  finished: null,
});

const partOf = (call: CheckedCall): ToolPart => shownCall(rowOf(call), call.fault === null ? 'pending' : 'error');

const shownCall = (
  { call_id, tool, input, shown, error }: Pick<ToolCallRow, 'call_id' | 'tool' | 'input' | 'shown' | 'error'>,
  state: ToolPart['state'],
  ms?: number,
): ToolPart => ({
  kind: 'tool',
  call_id,
  tool,
  input,
  output: shown,
  state,
  ...(error === null ? {} : { error }),
  ...(ms === undefined ? {} : { ms }),
});

const passagesOf = ({ tool, output }: ToolCallRow): readonly number[] =>
  tool === 'search_knowledge' && output !== null
    ? ((output as { readonly passages?: readonly { readonly n: number }[] }).passages ?? []).map(({ n }) => n)
    : [];

function faultsOf(schema: JsonObject, text: string): readonly string[] {
  const value: JsonValue | undefined = jsonIn(text);
  return value === undefined ? ['it is no JSON'] : new JsonCheck(schema).faults(value);
}

const effort = (reasoning: string | undefined): Record<string, { reasoningEffort: string }> =>
  reasoning === undefined || reasoning === 'off' ? {} : { openaiCompatible: { reasoningEffort: reasoning } };

/** The network and the provider may recover; a refusal is final. */
const mayPass = (error: unknown): boolean =>
  error instanceof Problem &&
  !(error instanceof ModelRefusal) &&
  ['upstream_failed', 'upstream_timeout', 'rate_limited', 'service_unavailable'].includes(error.code);

function problemIn(error: unknown): Problem | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return null;
}

const usageIn = (error: unknown): TokenUsage | null => (error instanceof BrokenOff && error.wasSeen ? error.usage : null);
