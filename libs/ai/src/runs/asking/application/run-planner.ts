import { Injectable } from '@nestjs/common';
import { TextModels, type TextModel } from '@atrium/models';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { invalidField, invalidState, isId, Problem, type JsonObject } from '@atrium/platform/kernel';
import { SearchScopes } from '@atrium/retrieval';
import { AgentAccess } from '../../../agents/application/agent-access';
import { AgentTools } from '../../../agents/application/agent-tools';
import type { Agent } from '../../../agents/domain/agent';
import { checkedParams, type Overridable } from '../../../agents/domain/agent-settings';
import { checkedTools, type ToolFacts } from '../../../agents/domain/agent-tool';
import { checkedSchema } from '../../../shared/json-schema';
import type { Thread } from '../../../threads/domain/thread';
import { MOST_STEPS, toolsWithSearch, USUAL_STEPS, type PromptTerms, type RunPlan } from '../../records/domain/run-plan';
import { RunPlaceRows } from '../../records/infrastructure/run-places.rows';

/** What a message chooses for its answer. */
export interface RunWish {
  readonly agent_id?: string;
  readonly model_id?: string;
  readonly params?: JsonObject;
  readonly knowledge?: readonly string[];
  readonly tools?: readonly ToolFacts[];
  readonly schema?: JsonObject;
  readonly max_steps?: number;
  /** The prompt that is asked: what the message chooses counts more, what the agent has less. */
  readonly prompt?: PromptTerms;
}

/** Who answers, with which model and how. */
export interface PlannedRun {
  readonly agent: Agent;
  readonly model_id: string;
  readonly plan: RunPlan;
}

const CONTEXT = 32_768;
const USUAL_OUTPUT = 4_096;
const MOST_KNOWLEDGE = 50;

/** Decides who answers a message and how, by thread, space, agent and what the message chooses; in the open unit of work. */
@Injectable()
export class RunPlanner {
  constructor(
    private readonly places: RunPlaceRows,
    private readonly agents: AgentAccess,
    private readonly tools: AgentTools,
    private readonly models: TextModels,
    private readonly scopes: SearchScopes,
  ) {}

  async planRun(caller: Principal, thread: Thread | null, wish: RunWish, field = 'run_options'): Promise<PlannedRun> {
    if (!caller.permissions.has('agent:run')) throw permissionDenied(['agent:run']);
    const space_id = thread?.spaceFor(caller) ?? null;
    const space = space_id === null ? null : await this.places.findSpaceDefaults(space_id);
    const agent = await this.agentFor(caller, thread, space?.agent ?? null, wish, field);
    assertOverrides(agent, wish, field);
    assertPromptOverrides(agent, wish);
    const model = await this.modelFor(agent, wish, field);
    const params = {
      ...agent.agent_params,
      ...wish.prompt?.params,
      ...(wish.params ? checkedParams(pathIn(field, 'params'), wish.params) : {}),
    };
    const context = model.model_context ?? CONTEXT;
    const sources = {
      retrieval: agent.agent_retrieval,
      knowledge: [
        ...new Set([
          ...agent.agent_knowledge,
          ...(space?.knowledge ?? []),
          ...(await this.readable(caller, wish.knowledge, field)),
          ...(wish.prompt?.knowledge ?? []),
        ]),
      ],
      folders: agent.agent_folders,
      files: agent.agent_files,
    };
    const plan: RunPlan = {
      agent_name: agent.agent_name,
      instructions: agent.agent_instructions,
      greeting: agent.agent_greeting,
      params,
      ...sources,
      tools: toolsWithSearch(wish.tools ? await this.toolsOf(caller, wish.tools, field) : agent.agent_tools, sources),
      memory: agent.agent_memory,
      schema: wish.schema ? checkedSchema(pathIn(field, 'schema'), wish.schema) : agent.agent_schema,
      max_steps: Math.min(wish.max_steps ?? USUAL_STEPS, MOST_STEPS),
      context,
      max_output: Math.min(
        params.max_output_tokens ?? model.model_max_output ?? USUAL_OUTPUT,
        model.model_max_output ?? Infinity,
        Math.floor(context / 2),
      ),
      vision: model.model_capabilities.includes('vision'),
      prompt_id: wish.prompt?.prompt_id ?? null,
    };
    return { agent, model_id: model.model_id, plan };
  }

  /** The model that the message names, else that of its prompt, else that of the agent, else the default. */
  private async modelFor(agent: Agent, { model_id, prompt }: RunWish, field: string): Promise<TextModel['model']> {
    const named = model_id ?? prompt?.model_id ?? agent.agent_model;
    try {
      return (await this.models.resolveModel(named)).model;
    } catch (error) {
      if (named === null || !(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      if (model_id !== undefined)
        throw invalidField(pathIn(field, 'model_id'), 'must be a text model of this workspace: see GET /models', 'reference');
      const of = named === prompt?.model_id ? 'prompt' : `agent ${agent.agent_name}`;
      throw invalidState(`The workspace has no text model ${named} any more, which the ${of} names. Give the ${of} another model.`);
    }
  }

  private async agentFor(
    caller: Principal,
    thread: Thread | null,
    of_space: string | null,
    { agent_id, prompt }: RunWish,
    field: string,
  ): Promise<Agent> {
    if (agent_id !== undefined) {
      const named = await this.agents.findUsable(caller, agent_id);
      if (!named) throw invalidField(pathIn(field, 'agent_id'), 'is no active agent that you can use', 'reference');
      return named;
    }
    if (prompt?.agent_id) {
      const named = await this.agents.findUsable(caller, prompt.agent_id);
      if (named) return named;
      throw invalidState('The agent of the prompt is deleted, or you cannot use it. Name one in run_options.agent_id.');
    }
    const given = thread?.thread_agent ?? of_space;
    const agent = given ? await this.agents.findUsable(caller, given) : await this.agents.findDefault(caller);
    if (agent) return agent;
    throw invalidState(
      given
        ? 'The agent of the thread is deleted, or you cannot use it. Give the thread another agent, or name one in run_options.agent_id.'
        : 'The workspace has no default agent that you can use. Name one in run_options.agent_id.',
    );
  }

  /** Bases that the caller cannot read count as unknown. */
  private async readable(caller: Principal, knowledge: readonly string[] | undefined, field: string): Promise<readonly string[]> {
    if (!knowledge || knowledge.length === 0) return [];
    if (knowledge.length > MOST_KNOWLEDGE)
      throw invalidField(pathIn(field, 'knowledge'), `must have at most ${MOST_KNOWLEDGE} items`, 'too_many');
    const ids = knowledge.map((id) => id.toLowerCase());
    const { keys } = await this.scopes.openScopes(
      caller,
      ids.map((id) => `ds:${id}`),
    );
    const at = ids.findIndex((id) => !isId(id) || !keys.includes(`ds:${id}`));
    if (at >= 0) throw invalidField(pathIn(field, `knowledge[${at}]`), 'is no knowledge base that you can read', 'reference');
    return ids;
  }

  private async toolsOf(caller: Principal, tools: readonly ToolFacts[], field: string) {
    const offered = await this.tools.findOffered(
      caller,
      tools.flatMap(({ tool }) => tool ?? []),
    );
    tools.forEach(({ schema }, at) => schema && checkedSchema(pathIn(field, `tools[${at}].schema`), schema));
    return checkedTools(pathIn(field, 'tools'), tools, offered);
  }
}

/** The path of a wish in the body, of which the wishes are a field or all there is. */
const pathIn = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

const OVERRIDES: Readonly<Record<Overridable, keyof RunWish>> = {
  model: 'model_id',
  params: 'params',
  knowledge: 'knowledge',
  tools: 'tools',
};

function assertOverrides({ agent_overrides }: Agent, wish: RunWish, field: string): void {
  for (const [name, key] of Object.entries(OVERRIDES) as [Overridable, keyof RunWish][])
    if (wish[key] !== undefined && !agent_overrides.includes(name))
      throw invalidField(pathIn(field, key), 'cannot be chosen for this agent: its agent_overrides do not allow it', 'not_allowed');
}

/** A prompt chooses no more for an agent than a message may: the author of a prompt need not decide about the cost of agents. */
function assertPromptOverrides({ agent_name, agent_model, agent_knowledge, agent_overrides }: Agent, { prompt }: RunWish): void {
  if (!prompt) return;
  const chosen: readonly (readonly [Overridable, boolean])[] = [
    ['model', prompt.model_id !== null && prompt.model_id !== agent_model],
    ['params', Object.keys(prompt.params).length > 0],
    ['knowledge', prompt.knowledge.some((base) => !agent_knowledge.includes(base))],
  ];
  const walled = chosen.find(([name, isChosen]) => isChosen && !agent_overrides.includes(name));
  if (walled)
    throw invalidState(
      `The prompt chooses the ${walled[0]} of its answers, which the agent ${agent_name} does not allow (agent_overrides). Ask another agent, or change the prompt.`,
    );
}
