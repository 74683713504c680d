import { Active, Choice, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { alreadyExists, asJson, invalidField, invalidState, pick, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import {
  checkedParams,
  checkedRetrieval,
  checkedWords,
  OVERRIDABLE,
  RETRIEVAL,
  SUBJECT_TYPES,
  type AgentRetrieval,
  type ModelParams,
  type Overridable,
  type SubjectType,
} from './agent-settings';
import type { AgentTool, ToolFacts } from './agent-tool';
import { checkedInstructions } from './instructions';

export const AGENT_TYPES = ['chat', 'context'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

const MOST_STARTERS = 8;
const LONGEST_STARTER = 200;
/** Largest JSON Schema that somebody enters. */
export const MOST_SCHEMA_BYTES = 32 * 1024;

/** What a client says of an agent. */
export interface AgentFacts {
  readonly agent_name?: string;
  readonly agent_description?: string | null;
  readonly agent_instructions?: string | null;
  readonly agent_icon?: string | null;
  readonly agent_type?: AgentType;
  readonly agent_context_types?: readonly string[];
  readonly agent_model?: string | null;
  readonly agent_params?: JsonObject;
  readonly agent_knowledge?: readonly string[];
  readonly agent_folders?: readonly string[];
  readonly agent_files?: readonly string[];
  readonly agent_retrieval?: JsonObject;
  readonly agent_tools?: readonly ToolFacts[];
  readonly agent_memory?: boolean;
  readonly agent_starters?: readonly string[];
  readonly agent_greeting?: string | null;
  readonly agent_schema?: JsonObject | null;
  readonly agent_overrides?: readonly string[];
  readonly agent_acl?: JsonObject;
  readonly agent_default?: boolean;
  readonly agent_active?: boolean;
  readonly agent_metadata?: JsonObject;
}

/** What a version of an agent is made of. */
export const SETTINGS = [
  'agent_name',
  'agent_description',
  'agent_instructions',
  'agent_icon',
  'agent_type',
  'agent_context_types',
  'agent_model',
  'agent_params',
  'agent_knowledge',
  'agent_folders',
  'agent_files',
  'agent_retrieval',
  'agent_tools',
  'agent_memory',
  'agent_starters',
  'agent_greeting',
  'agent_schema',
  'agent_overrides',
  'agent_acl',
  'agent_default',
  'agent_active',
  'agent_metadata',
] as const;

/**
 * An agent: a model with instructions, sources and tools, which answers in threads. Each change makes a version, which runs
 * name. At most one active agent of a workspace is its default; an inactive one is never.
 */
@Resource({ table: 'agent', sort: '-agent_created' })
export class Agent extends TenantRow {
  @Id({ about: 'Id of the agent.' }) readonly agent_id!: string;
  @Text({
    min: 1,
    max: 120,
    about: 'Name of the agent; unique among active agents, in any case.',
    example: 'Support desk',
    filter: 'contains',
    sort: true,
  })
  agent_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the agent is for.', example: 'Answers questions about our printers.' })
  agent_description!: string | null;
  @Text({
    max: 50_000,
    optional: true,
    about:
      'Instructions that the model reads before every conversation. `{{date}}`, `{{user_name}}`, `{{workspace_name}}` and `{{space_name}}` are filled in; `\\{{` is a literal `{{`.',
    example: 'You help customers of {{workspace_name}} with their printers. Be brief.',
  })
  agent_instructions!: string | null;
  @Text({ max: 64, optional: true, about: 'Emoji, icon name, or `file:<id>` of a picture.', example: '💬' })
  agent_icon!: string | null;
  @Choice(AGENT_TYPES, {
    about: '`chat` for any conversation; `context` for conversations about a subject, such as a file or a design.',
    example: 'chat',
    filter: 'equals',
  })
  agent_type!: AgentType;
  @TextList({
    max: SUBJECT_TYPES.length,
    about: `For the type context: kinds of subjects that the agent serves; all when empty. Possible kinds: ${SUBJECT_TYPES.join(', ')}.`,
    example: [],
  })
  agent_context_types!: SubjectType[];
  @Text({
    max: 200,
    optional: true,
    about: 'Text model of GET /models; null for the default model of the workspace.',
    example: 'openai/gpt-5-mini',
    filter: 'equals',
  })
  agent_model!: string | null;
  @Json({
    about:
      'Model parameters: temperature (0–2), top_p (0–1), max_output_tokens (1–64,000), reasoning (off, low, medium, high), stop (up to 4 texts).',
    example: { temperature: 0.2 },
  })
  agent_params!: ModelParams;
  @IdList({ max: 50, about: 'Ids of the knowledge bases that the agent searches (`ds_id`).', example: [] }) agent_knowledge!: string[];
  @IdList({ max: 50, about: 'Ids of the document folders that the agent searches.', example: [] }) agent_folders!: string[];
  @IdList({ max: 100, about: 'Ids of the documents that the agent searches.', example: [] }) agent_files!: string[];
  @Json({
    about:
      'Search settings: mode (`off`; `tool`: the model decides when to search, with the tool `search_knowledge`, which is available whenever there are sources, even if it is not in `agent_tools`; `always`: before every answer), k (1–50 passages), min_score (0–1), audience (`asker`: with the rights of the person who asks), require (only answers with citations).',
    example: RETRIEVAL,
  })
  agent_retrieval!: AgentRetrieval;
  @Json() agent_tools!: readonly AgentTool[];
  @Flag({ about: 'Whether the agent can use and create memories of the person who asks.', example: true }) agent_memory!: boolean;
  @TextList({ max: MOST_STARTERS, about: 'Suggested first questions, up to 200 characters each.', example: ['How do I change the toner?'] })
  agent_starters!: string[];
  @Text({ max: 2_000, optional: true, about: 'Greeting shown in an empty conversation.' }) agent_greeting!: string | null;
  @Json({
    max: MOST_SCHEMA_BYTES,
    optional: true,
    about: "JSON Schema (2020-12) of the agent's answers, an object of at most 32 KB; null for text answers.",
  })
  agent_schema!: JsonObject | null;
  @TextList({
    max: OVERRIDABLE.length,
    about: `Settings that a message can override: ${OVERRIDABLE.join(', ')}.`,
    example: ['model'],
  })
  agent_overrides!: Overridable[];
  @Json({
    about:
      'Access list: {users, roles, spaces}, each with view (see and use), edit or owner by id. When empty, every member with the permission has access.',
    example: {},
  })
  agent_acl!: JsonObject;
  @Flag({
    about:
      'Whether the agent answers in threads without an agent. Only one agent is the default: setting it here clears it on the agent that had it.',
    filter: 'equals',
  })
  agent_default!: boolean;
  @Text({
    optional: true,
    about: 'Manager of the agent: `platform` or an extension; null for the workspace. Managed agents cannot be deleted.',
  })
  agent_managed_by!: string | null;
  @Whole({
    about: 'Version of the agent, which increases with every change. Runs record the version that answered.',
    example: 1,
    column: 'integer',
  })
  agent_version!: number;
  @Ref({ optional: true, about: 'Who created the agent.', filter: 'equals' }) agent_user!: string | null;
  @Active('change', { about: 'Whether the agent is active; false if it was deleted. Threads of a deleted agent remain readable.' })
  agent_active!: boolean;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) agent_metadata!: JsonObject;
  @Stamp({ about: 'When the agent was created.', filter: 'range', sort: true }) agent_created!: Date;
  @Stamp({ about: 'When the agent was last changed.', filter: 'range', sort: true }) agent_updated!: Date;

  /** An agent of which nothing is said but its name. */
  static blank(facts: { readonly agent_id: string; readonly agent_name: string; readonly agent_user: string | null }, clock: Clock): Agent {
    return Object.assign(new Agent(), {
      agent_description: null,
      agent_instructions: null,
      agent_icon: null,
      agent_type: 'chat',
      agent_context_types: [],
      agent_model: null,
      agent_params: {},
      agent_knowledge: [],
      agent_folders: [],
      agent_files: [],
      agent_retrieval: RETRIEVAL,
      agent_tools: [],
      agent_memory: true,
      agent_starters: [],
      agent_greeting: null,
      agent_schema: null,
      agent_overrides: [],
      agent_acl: {},
      agent_default: false,
      agent_managed_by: null,
      agent_version: 1,
      agent_active: true,
      agent_metadata: {},
      agent_created: clock.now(),
      agent_updated: clock.now(),
      ...facts,
    });
  }

  /** What it is made of, as revisions keep it. */
  get settings(): JsonObject {
    return asJson(pick<Agent, (typeof SETTINGS)[number]>(this, SETTINGS));
  }

  /** Takes what is said of it; tools and references were checked before, because others know them. */
  describe({ agent_params, agent_retrieval, agent_tools: _, ...facts }: AgentFacts, tools: readonly AgentTool[] | null): void {
    const { agent_instructions, agent_context_types, agent_overrides, agent_starters } = facts;
    if (agent_instructions) checkedInstructions('agent_instructions', agent_instructions);
    if (agent_starters) assertStarters(agent_starters);
    if (facts.agent_active === false) this.assertDeletable();
    Object.assign(this, {
      ...this.withoutAbsent({ ...facts }),
      ...(agent_params ? { agent_params: checkedParams('agent_params', agent_params) } : {}),
      ...(agent_retrieval ? { agent_retrieval: checkedRetrieval('agent_retrieval', agent_retrieval) } : {}),
      ...(agent_context_types ? { agent_context_types: checkedWords('agent_context_types', agent_context_types, SUBJECT_TYPES) } : {}),
      ...(agent_overrides ? { agent_overrides: checkedWords('agent_overrides', agent_overrides, OVERRIDABLE) } : {}),
      ...(tools ? { agent_tools: tools } : {}),
    });
    if (this.agent_type === 'chat' && this.agent_context_types.length > 0)
      throw invalidField(
        'agent_context_types',
        'can be set only for agents of the type context; send [] with the type chat',
        'not_applicable',
      );
    if (!this.agent_active) {
      if (facts.agent_default === true) throw invalidField('agent_default', 'must be false for an inactive agent', 'not_applicable');
      this.agent_default = false;
    }
  }

  /** The default answers every thread that names no agent: a list of access would leave those whom it does not name without one. */
  assertForAll(): void {
    if (this.agent_default && grantsAnything(this.agent_acl))
      throw invalidState('The default agent must be available to everyone. Clear its agent_acl, or make another agent the default.');
  }

  /** It answers no more; its threads stay readable. */
  delete(): void {
    this.assertDeletable();
    this.agent_active = false;
    this.agent_default = false;
  }

  /** What it was before is another version now. */
  amend(clock: Clock): void {
    this.agent_version += 1;
    this.agent_updated = clock.now();
  }

  private assertDeletable(): void {
    if (this.agent_managed_by !== null)
      throw new Problem('in_use', `The agent is managed by ${this.agent_managed_by} and cannot be deleted.`);
  }

  private withoutAbsent(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  }
}

const grantsAnything = (acl: JsonObject): boolean =>
  Object.values(acl).some((entries) => typeof entries === 'object' && entries !== null && Object.keys(entries).length > 0);

function assertStarters(starters: readonly string[]): void {
  const at = starters.findIndex((text) => [...text].length > LONGEST_STARTER);
  if (at >= 0) throw invalidField(`agent_starters[${at}]`, `must have at most ${LONGEST_STARTER} characters`, 'too_long');
}

export const agentNameTaken = (): Problem =>
  alreadyExists('agent_name', 'An active agent with this name already exists. Choose another name.');
