import type { ActingCallers } from '@atrium/identity';
import { reasonIn, standaloneQuestion, type ModelUsage, type TextModels, type TokenUsage } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { Problem, SECOND, type Clock } from '@atrium/platform/kernel';
import { StreamFenced } from '@atrium/platform/messaging';
import { KnownAddresses } from '../domain/known-addresses';
import { SEARCH_TOOL, type RunPlan } from '../../records/domain/run-plan';
import { storable } from '../../records/domain/storable';
import { TAINTS } from '../../prompt/taint';
import type { ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { AnswerEnds } from './answer-ends';
import { BrokenOff, problemIn } from './model-step';
import { ModelSteps, TRIES } from './model-steps';
import type { RunAttempt } from './run-attempt';
import type { RunInput, RunInputs } from '../../prompt/run-input';
import type { RunGround, RunMaterials } from '../../prompt/run-materials';
import { Superseded } from '../../records/application/run-records';
import type { RunSearch } from '../../prompt/run-search';
import { isUnattended, type RunTool, type RunTools } from './run-tools';
import { passagesOf } from '../../records/application/shown-calls';
import { ToolCalls, type CallScene } from './tool-calls';

/** What courses are made with. */
export interface CourseParts {
  readonly db: Pick<Database, 'read'>;
  readonly callers: ActingCallers;
  readonly models: TextModels;
  readonly usage: ModelUsage;
  readonly inputs: RunInputs;
  readonly materials: RunMaterials;
  readonly search: RunSearch;
  readonly tools: RunTools;
  readonly clock: Clock;
}

const CHECKPOINT_MS = 2 * SECOND;

/** The course of one attempt: step after step until the answer is there, somebody is needed, or it cannot go on. */
export class RunCourse {
  private readonly steps: ModelSteps;
  private readonly calls: ToolCalls;
  private readonly ends: AnswerEnds;

  constructor(
    private readonly parts: CourseParts,
    private readonly attempt: RunAttempt,
    /** Encloses data in the input; nobody who writes a source knows it. */
    private readonly mark: string,
  ) {
    this.steps = new ModelSteps(parts.tools, attempt, parts.clock);
    this.calls = new ToolCalls(parts.tools, attempt);
    this.ends = new AnswerEnds(attempt);
  }

  async run(): Promise<void> {
    const checkpoints = setInterval(() => void this.attempt.checkpoint(), CHECKPOINT_MS).unref();
    try {
      await this.goOn();
    } catch (error) {
      await this.endBy(error);
    } finally {
      clearInterval(checkpoints);
    }
  }

  private async endBy(error: unknown): Promise<void> {
    const { attempt } = this;
    if (error instanceof Superseded || error instanceof StreamFenced) throw error;
    if (attempt.isStopped) return attempt.end({ status: 'stopped', finish: 'stopped' }, usageIn(error));
    if (attempt.isOverdue) return this.ends.timesOut(usageIn(error));
    if (attempt.isShutDown) {
      await attempt.keepAll();
      throw error;
    }
    const problem = problemIn(error);
    if (!problem) throw error;
    const said = { code: problem.code, detail: storable(problem.detail) };
    await attempt.end({ status: 'failed', finish: 'error', error: said, reason: reasonIn(error) });
  }

  private async goOn(): Promise<void> {
    const { attempt } = this;
    const { run, signal } = attempt;
    if (run.run_stop_requested) return attempt.end({ status: 'stopped', finish: 'stopped' });
    this.ends.demandSchema();
    const { materials } = this.parts;
    const {
      actor,
      model: chosen,
      known,
    } = await this.parts.db.read(async () => {
      const asker = await this.actor();
      return { actor: asker, model: await this.parts.models.resolve(run.run_model), known: await materials.read(run, asker) };
    });
    let ground = await materials.of(run, actor, known, signal);
    attempt.taint(ground.taint);
    attempt.stream.keepTo(ground.memory || ground.recalls ? actor.user_id : null);
    if (attempt.steps.length === 0 && attempt.answer.parts.length === 0)
      for (const notice of ground.notices) attempt.stream.change((answer) => answer.add(notice));
    let [scene, tools] = [this.scene(actor, ground), await this.toolsOf(actor, ground)];
    const input = await this.inputOf(actor, ground, tools);
    const model = await chosen.open({ signal, tries: TRIES });
    if (attempt.openCalls.length > 0 && (await this.calls.make(attempt.openCalls, tools, scene)) === 'waits') return;
    for (;;) {
      const answered = attempt.answeringStep;
      if (answered) return this.ends.finish(answered);
      const last = attempt.steps.at(-1);
      if (last && attempt.answer.isFull) return this.ends.finish({ ...last, finish: 'length' });
      if (last) ({ ground, scene, tools } = await this.again(ground));
      const offered = this.steps.offered(tools);
      const question = await this.steps.question(input, ground.question, { tools, offered });
      if (!(await this.affords(question.tokens))) return this.ends.runsDry();
      const outcome = await this.steps.ask(model, question, input, offered, this.addresses(ground, input));
      const checked = this.calls.check({ ...outcome, said: ground.said }, offered);
      // Calls that have no room in the message are not made: the answer ends before them.
      const made = checked.length === 0 && outcome.calls.length > 0 ? { ...outcome, finish: 'length' as const } : outcome;
      await this.steps.keep(made, checked, checked.length > 0 ? null : this.ends.correctionOf(made));
      if (attempt.openCalls.length > 0 && (await this.calls.make(attempt.openCalls, tools, scene)) === 'waits') return;
    }
  }

  /** What may have changed since the step before. */
  private again(before: RunGround): Promise<{ ground: RunGround; scene: CallScene; tools: ReadonlyMap<string, RunTool> }> {
    return this.parts.db.read(async () => {
      const actor = await this.actor();
      const ground = { ...before, memory: await this.parts.materials.mayUseMemories(this.attempt.run) };
      return { ground, scene: this.scene(actor, ground), tools: await this.toolsOf(actor, ground) };
    });
  }

  /** The asker with the rights of this moment: they are asked for before each step. */
  private actor(): Promise<Principal> {
    const { run_user, run_key } = this.attempt.run;
    if (run_user === null) throw new Problem('permission_denied', 'A run without a person cannot read anything.');
    return this.parts.callers.of({ user_id: run_user, key_id: run_key });
  }

  private toolsOf(actor: Principal, ground: RunGround): Promise<ReadonlyMap<string, RunTool>> {
    const { plan, run } = this.attempt;
    const tools = run.run_thread === null ? plan.tools.filter(isUnattended) : plan.tools;
    return this.parts.tools.of(actor, tools, withoutFor(actor, plan, ground));
  }

  private scene(actor: Principal, ground: RunGround): CallScene {
    const { thread, memory } = ground;
    return {
      actor,
      memory,
      search: (query, k) => this.searched(actor, query, k),
      subject: () => (thread ? this.parts.materials.subjectOf(thread, actor) : Promise.resolve(null)),
    };
  }

  /**
   * Memories and, where the agent always searches, passages are found once and keep their numbers. What the conversation says is read
   * by each attempt: that its answer may say what memories say is kept before the model is asked.
   */
  private async inputOf(actor: Principal, ground: RunGround, tools: ReadonlyMap<string, RunTool>): Promise<RunInput> {
    const { attempt } = this;
    const { plan, sources } = attempt;
    if (sources.all.length === 0 && attempt.steps.length === 0) {
      if (ground.memory) {
        const memories = await this.parts.materials.memoriesFor(actor.user_id, ground.question);
        sources.add(memories.sources);
        attempt.taint(memories.taint);
      }
      if (plan.retrieval.mode === 'always') {
        const found = await this.searched(actor, standaloneQuestion(ground.question, saidBefore(ground)));
        sources.add(found);
        if (found.length > 0) attempt.taint(TAINTS.passages);
      }
      const beside = { taint: attempt.tainted, recalls: ground.recalls };
      if (sources.all.length > 0 || beside.recalls || beside.taint !== attempt.run.run_tainted)
        sources.drop(await attempt.write((records, held) => records.found(held, sources.all, beside)));
    } else if (ground.recalls) await attempt.write((records, held) => records.recalls(held));
    const byTools = new Set(attempt.calls.flatMap(passagesOf));
    const found = sources.all.filter(({ n, source_kind }) => !byTools.has(n) && (ground.memory || source_kind !== 'memory'));
    return this.parts.inputs.of({ ...ground, found }, this.mark, this.parts.tools.offers(tools));
  }

  /** Addresses that the answer may have: those that the asker gave, and those of what the run has read. */
  private addresses({ said }: RunGround, { system }: RunInput): KnownAddresses {
    const { sources, calls, tainted } = this.attempt;
    const held = [
      ...said,
      ...textsIn(system.content),
      ...textsIn(sources.all.map(({ url, title, text }) => [url, title, text])),
      ...calls.filter(bringsAddresses).flatMap(({ output }) => textsIn(output)),
    ];
    return new KnownAddresses(held, tainted === null);
  }

  private searched(actor: Principal, query: string, k?: number) {
    const { plan, run } = this.attempt;
    return this.parts.search.find(actor, { plan, thread_id: run.run_thread }, query, k);
  }

  /**
   * Whether the credits for the next step are there, all that it is asked with included: with the question only its own text was
   * known, and neither history nor what was found. They take the place of what was set aside before.
   */
  private async affords(inputTokens: number): Promise<boolean> {
    const { run, plan } = this.attempt;
    const { usage } = this.parts;
    const reserve = () =>
      usage.reserveLines({
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
      await this.attempt.beginStep(inputTokens, reserve);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'credits_exhausted') return false;
      throw error;
    }
  }
}

const saidBefore = ({ history }: RunGround): string[] => history.flatMap(({ role, text }) => (role === 'user' ? [text] : []));

/** What repeats an address that the model has chosen brings none. */
const bringsAddresses = ({ tool, input }: ToolCallRow): boolean => tool === 'fetch_url' || !JSON.stringify(input).includes('//');

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];

/** A key writes and deletes as much by an agent as by `/memories`. */
const changesMemories = ({ key_id, permissions }: Principal): boolean => key_id === null || permissions.has('thread:edit');

const NO_MEMORY = ['remember', 'forget'];
const NO_SEARCH = [SEARCH_TOOL];

/** Tools that this run cannot use: memories of nobody, a search that is off, a subject that there is none. */
function withoutFor(actor: Principal, { retrieval }: RunPlan, { memory, thread }: RunGround): ReadonlySet<string> {
  return new Set([
    ...(memory && changesMemories(actor) ? [] : NO_MEMORY),
    ...(retrieval.mode === 'tool' ? [] : NO_SEARCH),
    ...(thread?.thread_ref ? [] : ['get_subject']),
    ...(thread ? [] : ['create_document']),
  ]);
}

/** What a step took that did not come to its end: a provider that may have read the question takes something for it. */
const usageIn = (error: unknown): TokenUsage | null => (error instanceof BrokenOff && error.wasAsked ? error.usage : null);
