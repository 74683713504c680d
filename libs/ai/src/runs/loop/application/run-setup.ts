import type { LanguageModelV3 } from '@ai-sdk/provider';
import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { standaloneQuestion, TextModels } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied } from '@atrium/platform/kernel';
import { RunInputs, type RunInput } from '../../prompt/run-input';
import { RunMaterials, type RunContext } from '../../prompt/run-materials';
import { RunSearch } from '../../prompt/run-search';
import { TAINTS } from '../../prompt/taint';
import { passagesOf } from '../../records/application/shown-calls';
import { SEARCH_TOOL, type RunPlan } from '../../records/domain/run-plan';
import type { ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { KnownAddresses } from '../domain/known-addresses';
import { TRIES } from './model-steps';
import type { RunAttempt } from './run-attempt';
import { isUnattended, RunTools, type RunTool } from './run-tools';
import type { CallScene, CallSetting } from './tool-calls';

/** What the steps of an attempt work with: ground, tools and scene are those of this moment, input and model those of the run. */
export interface RunSetting extends CallSetting {
  readonly ground: RunContext;
  readonly input: RunInput;
  readonly model: LanguageModelV3;
}

/** Gathers what the steps of an attempt need, with the rights that the asker has at each of them. */
@Injectable()
export class RunSetup {
  constructor(
    private readonly db: Database,
    private readonly callers: ActingCallers,
    private readonly models: TextModels,
    private readonly inputs: RunInputs,
    private readonly materials: RunMaterials,
    private readonly search: RunSearch,
    private readonly tools: RunTools,
  ) {}

  /** All that the first step of the attempt needs. What is found for the run is kept before its model is opened. */
  async prepareSetting(attempt: RunAttempt): Promise<RunSetting> {
    const { run, signal } = attempt;
    const {
      actor,
      model: chosen,
      known,
    } = await this.db.read(async () => {
      const asker = await this.findActor(attempt);
      return { actor: asker, model: await this.models.resolveModel(run.run_model), known: await this.materials.readRows(run, asker) };
    });
    const ground = await this.materials.readMaterials(run, actor, known, signal);
    attempt.taintRun(ground.taint);
    attempt.stream.restrictTo(ground.memory || ground.recalls ? actor.user_id : null);
    if (attempt.steps.length === 0 && attempt.answer.parts.length === 0)
      for (const notice of ground.notices) attempt.stream.applyChange((answer) => answer.addPart(notice));
    const scene = this.sceneOf(attempt, actor, ground);
    const tools = await this.findTools(attempt, actor, ground);
    const input = await this.buildInput(attempt, actor, { ground, tools });
    return { ground, scene, tools, input, model: await chosen.openModel({ signal, tries: TRIES }) };
  }

  /** The same with what may have changed since the step before. */
  refreshSetting(attempt: RunAttempt, before: RunSetting): Promise<RunSetting> {
    return this.db.read(async () => {
      const actor = await this.findActor(attempt);
      const ground = { ...before.ground, memory: await this.materials.mayUseMemories(attempt.run) };
      return { ...before, ground, scene: this.sceneOf(attempt, actor, ground), tools: await this.findTools(attempt, actor, ground) };
    });
  }

  /** Addresses that the answer may have: those that the asker gave, and those of what the run has read. */
  collectAddresses({ sources, calls, tainted }: RunAttempt, { ground: { said }, input: { system } }: RunSetting): KnownAddresses {
    const held = [
      ...said,
      ...textsIn(system.content),
      ...textsIn(sources.all.map(({ url, title, text }) => [url, title, text])),
      ...calls.filter(bringsAddresses).flatMap(({ output }) => textsIn(output)),
    ];
    return new KnownAddresses(held, tainted === null);
  }

  /** The asker with the rights of this moment: they are asked for before each step. */
  private findActor({ run: { run_user, run_key } }: RunAttempt): Promise<Principal> {
    if (run_user === null) throw accessDenied('A run without a person cannot read anything.');
    return this.callers.resolvePrincipal({ user_id: run_user, key_id: run_key });
  }

  private findTools({ plan, run }: RunAttempt, actor: Principal, ground: RunContext): Promise<ReadonlyMap<string, RunTool>> {
    const tools = run.run_thread === null ? plan.tools.filter(isUnattended) : plan.tools;
    return this.tools.resolveTools(actor, tools, withoutFor(actor, plan, ground));
  }

  private sceneOf(attempt: RunAttempt, actor: Principal, { thread, memory }: RunContext): CallScene {
    return {
      actor,
      memory,
      searchSources: (query, k) => this.findPassages(attempt, actor, query, k),
      readSubject: () => (thread ? this.materials.findSubject(thread, actor) : Promise.resolve(null)),
    };
  }

  /**
   * Memories and, where the agent always searches, passages are found once and keep their numbers. What the conversation says is read
   * by each attempt: that its answer may say what memories say is kept before the model is asked.
   */
  private async buildInput(
    attempt: RunAttempt,
    actor: Principal,
    { ground, tools }: Pick<RunSetting, 'ground' | 'tools'>,
  ): Promise<RunInput> {
    const { sources } = attempt;
    if (sources.all.length === 0 && attempt.steps.length === 0) {
      await this.findSources(attempt, actor, ground);
      const beside = { taint: attempt.tainted, recalls: ground.recalls };
      if (sources.all.length > 0 || beside.recalls || beside.taint !== attempt.run.run_tainted)
        sources.dropSources(await attempt.writeRecords((records, held) => records.recordSources(held, sources.all, beside)));
    } else if (ground.recalls) await attempt.writeRecords((records, held) => records.markRecalls(held));
    const byTools = new Set(attempt.calls.flatMap(passagesOf));
    const found = sources.all.filter(({ n, source_kind }) => !byTools.has(n) && (ground.memory || source_kind !== 'memory'));
    return this.inputs.buildInput({ ...ground, found }, attempt.mark, this.tools.describeTools(tools));
  }

  private async findSources(attempt: RunAttempt, actor: Principal, ground: RunContext): Promise<void> {
    const { plan, sources } = attempt;
    if (ground.memory) {
      const memories = await this.materials.findMemories(actor.user_id, ground.question);
      sources.addSources(memories.sources);
      attempt.taintRun(memories.taint);
    }
    if (plan.retrieval.mode !== 'always') return;
    const found = await this.findPassages(attempt, actor, standaloneQuestion(ground.question, saidBefore(ground)));
    sources.addSources(found);
    if (found.length > 0) attempt.taintRun(TAINTS.passages);
  }

  private findPassages({ plan, run }: RunAttempt, actor: Principal, query: string, k?: number) {
    return this.search.findSources(actor, { plan, thread_id: run.run_thread }, query, k);
  }
}

const saidBefore = ({ history }: RunContext): string[] => history.flatMap(({ role, text }) => (role === 'user' ? [text] : []));

/** What repeats an address that the model has chosen brings none. */
const bringsAddresses = ({ tool, input }: ToolCallRow): boolean => tool === 'fetch_url' || !JSON.stringify(input).includes('//');

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];

/** A key writes and deletes as much by an agent as by `/memories`. */
const changesMemories = ({ key_id, permissions }: Principal): boolean => key_id === null || permissions.has('thread:edit');

const NO_MEMORY = ['remember', 'forget'];
const NO_SEARCH = [SEARCH_TOOL];

/** Tools that this run cannot use: memories of nobody, a search that is off, a subject that there is none. */
function withoutFor(actor: Principal, { retrieval }: RunPlan, { memory, thread }: RunContext): ReadonlySet<string> {
  return new Set([
    ...(memory && changesMemories(actor) ? [] : NO_MEMORY),
    ...(retrieval.mode === 'tool' ? [] : NO_SEARCH),
    ...(thread?.thread_ref ? [] : ['get_subject']),
    ...(thread ? [] : ['create_document']),
  ]);
}
