import type { TextModels } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { runAsJob, SYSTEM_ACTOR } from '@atrium/platform/database';
import { invalidField, newId, Problem } from '@atrium/platform/kernel';
import type { SearchScopes } from '@atrium/retrieval';
import type { AgentAccess } from '../../../agents/application/agent-access';
import type { AgentTools } from '../../../agents/application/agent-tools';
import type { Thread } from '../../../threads/domain/thread';
import type { PromptTerms } from '../../records/domain/run-plan';
import type { RunPlaceRows } from '../../records/infrastructure/run-places.rows';
import { RunPlanner, type PlannedRun, type RunWish } from './run-planner';

const ANN = { user_id: 'ann', permissions: new Set(['agent:run']) } as unknown as Principal;
const [BASE, OTHER, CLOSED] = [newId(), newId(), newId()];

const agentNamed = (agent_name: string) => ({
  agent_id: agent_name,
  agent_name,
  agent_model: 'm1',
  agent_params: { temperature: 0.5 },
  agent_knowledge: ['own'],
  agent_folders: [],
  agent_files: [],
  agent_tools: [],
  agent_retrieval: { mode: 'off' },
  agent_schema: null,
  agent_instructions: null,
  agent_greeting: null,
  agent_memory: false,
  agent_overrides: [] as readonly string[],
});

interface Facts {
  readonly caller?: Principal;
  /** What the agents of the workspace let messages choose. */
  readonly overrides?: readonly string[];
  readonly agents?: readonly string[];
  readonly standard?: string | null;
  readonly model?: object;
  readonly thread?: { readonly agent?: string; readonly space?: string };
  readonly space?: { readonly agent: string | null; readonly knowledge: readonly string[] };
  readonly field?: string;
}

/** Plans an answer in a workspace with these agents, the models m1 and m2, and two bases that the asker may read. */
function planned(wish: RunWish, facts: Facts = {}): Promise<PlannedRun> {
  const { caller = ANN, overrides = [], agents = ['Clerk', 'Expert'], standard = 'Clerk', model = {}, field } = facts;
  const agentOf = (name: string | null) =>
    name !== null && agents.includes(name) ? { ...agentNamed(name), agent_overrides: overrides } : null;
  const access = {
    findUsable: (_: Principal, name: string) => Promise.resolve(agentOf(name)),
    findDefault: () => Promise.resolve(agentOf(standard)),
  };
  const models = {
    resolveModel: (name: string) =>
      ['m1', 'm2'].includes(name)
        ? Promise.resolve({ model: { model_id: name, model_context: 1_000, model_max_output: 400, model_capabilities: [], ...model } })
        : Promise.reject(invalidField('model', 'is unknown', 'reference')),
  };
  const scopes = { openScopes: () => Promise.resolve({ keys: [`ds:${BASE}`, `ds:${OTHER}`] }) };
  const planner = new RunPlanner(
    { findSpaceDefaults: () => Promise.resolve(facts.space ?? null) } as unknown as RunPlaceRows,
    access as unknown as AgentAccess,
    { findOffered: () => Promise.resolve(new Map()) } as unknown as AgentTools,
    models as unknown as TextModels,
    scopes as unknown as SearchScopes,
  );
  const thread = facts.thread
    ? ({ thread_agent: facts.thread.agent ?? null, spaceFor: () => facts.thread?.space ?? null } as unknown as Thread)
    : null;
  return runAsJob({ tenant_id: newId(), actor: SYSTEM_ACTOR, request_id: 'q' }, () => planner.planRun(caller, thread, wish, field));
}

const prompt = (terms: Partial<PromptTerms>): { readonly prompt: PromptTerms } => ({
  prompt: { prompt_id: 'p1', agent_id: null, model_id: null, params: {}, knowledge: [], ...terms },
});

const faultOf = (plan: Promise<PlannedRun>): Promise<unknown> =>
  plan.then(
    () => 'planned',
    (error: unknown) => (error instanceof Problem ? (error.errors?.[0]?.path ?? error.code) : error),
  );

describe('who answers', () => {
  it.each<[string, RunWish, Facts, string]>([
    ['the default agent', {}, {}, 'Clerk'],
    ['the agent of the space', {}, { thread: { space: 's1' }, space: { agent: 'Expert', knowledge: [] } }, 'Expert'],
    ['the agent of the thread', {}, { thread: { agent: 'Expert', space: 's1' }, space: { agent: 'Clerk', knowledge: [] } }, 'Expert'],
    ['the agent of the prompt', prompt({ agent_id: 'Expert' }), { thread: { agent: 'Clerk' } }, 'Expert'],
    ['the agent that the message names', { agent_id: 'Clerk', ...prompt({ agent_id: 'Expert' }) }, {}, 'Clerk'],
  ])('is %s before any that is named less closely', async (_, wish, facts, agent) => {
    expect((await planned(wish, facts)).agent.agent_name).toBe(agent);
  });

  it.each<[string, RunWish, Facts, string]>([
    ['the message names one that the asker cannot use', { agent_id: 'Gone' }, {}, 'run_options.agent_id'],
    ['the prompt does', prompt({ agent_id: 'Gone' }), {}, 'invalid_state'],
    ['the thread does', {}, { thread: { agent: 'Gone' } }, 'invalid_state'],
    ['there is no default agent', {}, { standard: null }, 'invalid_state'],
    ['the asker may run no agents', {}, { caller: { permissions: new Set() } as unknown as Principal }, 'permission_denied'],
  ])('is nobody where %s', async (_, wish, facts, fault) => {
    expect(await faultOf(planned(wish, facts))).toBe(fault);
  });
});

describe('the model of an answer', () => {
  const overrides = ['model'];

  it.each<[string, RunWish, string]>([
    ['the agent', {}, 'm1'],
    ['the prompt', prompt({ model_id: 'm2' }), 'm2'],
    ['the message', { model_id: 'm1', ...prompt({ model_id: 'm2' }) }, 'm1'],
  ])('is that of %s before any that is named less closely', async (_, wish, model) => {
    expect((await planned(wish, { overrides })).model_id).toBe(model);
  });

  it('that is unknown is a fault of the message that names it, and of the state of the workspace where the prompt does', async () => {
    expect(await faultOf(planned({ model_id: 'm3' }, { overrides }))).toBe('run_options.model_id');
    expect(await faultOf(planned({ model_id: 'm3' }, { overrides, field: '' }))).toBe('model_id');
    expect(await faultOf(planned(prompt({ model_id: 'm3' }), { overrides }))).toBe('invalid_state');
  });

  it.each<[string, RunWish, object, number]>([
    ['what the model writes at most', {}, {}, 400],
    ['half of what it takes', {}, { model_max_output: 900 }, 500],
    ['what the message asks for', { params: { max_output_tokens: 100 } }, {}, 100],
    ['what the model writes at most, also where the message asks for more', { params: { max_output_tokens: 450 } }, {}, 400],
  ])('writes %s', async (_, wish, model, tokens) => {
    expect((await planned(wish, { model, overrides: ['params'] })).plan.max_output).toBe(tokens);
  });
});

describe('what a message chooses', () => {
  it.each<[string, RunWish]>([
    ['model_id', { model_id: 'm2' }],
    ['params', { params: {} }],
    ['knowledge', { knowledge: [] }],
    ['tools', { tools: [] }],
  ])('is refused at %s where its agent does not let it', async (key, wish) => {
    expect(await faultOf(planned(wish))).toBe(`run_options.${key}`);
    expect(await faultOf(planned(wish, { overrides: [key === 'model_id' ? 'model' : key] }))).toBe('planned');
  });

  it('adds bases that the asker can read to those of the agent, the space and the prompt, each once', async () => {
    const wish = { knowledge: [BASE.toUpperCase()], ...prompt({ knowledge: [BASE, OTHER] }) };
    const space = { agent: null, knowledge: ['of the space', 'own'] };
    const { plan } = await planned(wish, { overrides: ['knowledge'], thread: { space: 's1' }, space });
    expect(plan.knowledge).toEqual(['own', 'of the space', BASE, OTHER]);
  });

  it('names the base that the asker cannot read', async () => {
    expect(await faultOf(planned({ knowledge: [BASE, CLOSED] }, { overrides: ['knowledge'] }))).toBe('run_options.knowledge[1]');
  });

  it('counts more than what its prompt chooses, and that more than what the agent has', async () => {
    const wish = { params: { temperature: 1 }, ...prompt({ params: { temperature: 0.1, top_p: 0.9 } }) };
    expect((await planned(wish, { overrides: ['params'] })).plan.params).toEqual({ temperature: 1, top_p: 0.9 });
  });

  it.each([
    [undefined, 8],
    [3, 3],
    [99, 25],
  ])('makes of %s steps %i', async (max_steps, steps) => {
    expect((await planned(max_steps === undefined ? {} : { max_steps })).plan.max_steps).toBe(steps);
  });
});

describe('a prompt', () => {
  it.each<[string, Partial<PromptTerms>]>([
    ['model', { model_id: 'm2' }],
    ['params', { params: { temperature: 1 } }],
    ['knowledge', { knowledge: ['own', 'other'] }],
  ])('chooses the %s of its answers only for an agent that lets messages choose it', async (what, terms) => {
    await expect(planned(prompt(terms))).rejects.toThrow(`chooses the ${what} of its answers`);
    expect(await faultOf(planned(prompt(terms), { overrides: [what] }))).toBe('planned');
  });

  it('may name what the agent has anyway', async () => {
    expect(await faultOf(planned(prompt({ model_id: 'm1', knowledge: ['own'] })))).toBe('planned');
  });

  it('is named by the plan of its answer', async () => {
    expect((await planned(prompt({}))).plan.prompt_id).toBe('p1');
    expect((await planned({})).plan.prompt_id).toBeNull();
  });
});
