import { Choice, Flag, Json, NestedList, Text } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { Agent, MOST_SCHEMA_BYTES } from '../domain/agent';
import { APPROVALS, MOST_TOOLS, RISKS, type Approval, type ToolRisk } from '../domain/agent-tool';

const OPTIONAL = [
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
  'agent_memory',
  'agent_starters',
  'agent_greeting',
  'agent_schema',
  'agent_overrides',
  'agent_acl',
  'agent_default',
  'agent_metadata',
] as const;

/** A tool of an agent in a request. */
@Accepts()
export class AgentToolBody {
  @Text({
    omittable: true,
    min: 1,
    max: 200,
    about: 'A tool of GET /agents/tools: a built-in tool, `workflow:<id>` or `integration:<id>/<action>`.',
    example: 'search_knowledge',
  })
  tool?: string;
  @Json({ omittable: true, about: 'Settings of the tool.' }) config?: JsonObject;
  @Choice(APPROVALS, {
    omittable: true,
    about:
      'When a person must approve a tool call. `tainted`: once the run has read text that was not written by the person who asks. When omitted: `never` for tools that only read and for client tools, `tainted` for others.',
  })
  approval?: Approval;
  @Flag({
    omittable: true,
    about: 'True for a tool that your client executes. In that case, set `name`, `description` and `schema` instead of `tool`.',
  })
  client?: boolean;
  @Text({ omittable: true, min: 1, max: 64, about: 'Name of the client tool.', example: 'open_dialog' }) name?: string;
  @Text({ omittable: true, max: 2_000, about: 'What the client tool does; shown to the model.' }) description?: string;
  @Json({ omittable: true, max: MOST_SCHEMA_BYTES, about: 'JSON Schema of the input of the client tool, an object.' }) schema?: JsonObject;
}

@Accepts()
class AgentToolsBody {
  @NestedList(() => AgentToolBody, {
    omittable: true,
    max: MOST_TOOLS,
    about: 'Tools of the agent.',
    example: [{ tool: 'search_knowledge', approval: 'never' }],
  })
  agent_tools?: AgentToolBody[];
}

export class CreateAgent extends Body(Agent, { required: ['agent_name'], optional: [...OPTIONAL], with: AgentToolsBody }) {}

export class ChangeAgent extends Body(Agent, { optional: ['agent_name', 'agent_active', ...OPTIONAL], with: AgentToolsBody }) {}

export class ListAgents extends ListQuery(Agent) {
  agent_active?: boolean;
  full_text_search?: string;
}
acceptParameter(ListAgents, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words in the name or description. Supports quotes, `or` and `-`, as in a web search.',
});

@Answer()
export class AgentToolView {
  @Text({ omittable: true, max: 200, about: 'The tool; absent for client tools.' }) tool?: string;
  @Json({ omittable: true, about: 'Settings of the tool.' }) config?: JsonObject;
  @Choice(APPROVALS, { about: 'When a person must approve a tool call.' }) approval!: Approval;
  @Flag({ omittable: true, about: 'True for a client tool.' }) client?: boolean;
  @Text({ omittable: true, about: 'Name of the client tool.' }) name?: string;
  @Text({ omittable: true, max: 2_000, about: 'What the client tool does.' }) description?: string;
  @Json({ omittable: true, about: 'JSON Schema of the input of the client tool.' }) schema?: JsonObject;
}

@Answer()
export class AgentView extends View(Agent, { without: ['agent_tools', 'agent_instructions'] }) {
  @Text({
    omittable: true,
    max: 50_000,
    optional: true,
    about: 'Instructions that the model reads before every conversation; absent if you can only run agents.',
  })
  agent_instructions?: string | null;
  @NestedList(() => AgentToolView, { about: 'Tools of the agent.', example: [{ tool: 'search_knowledge', approval: 'never' }] })
  agent_tools!: AgentToolView[];
}

export class AgentPage extends PageOf(AgentView) {}

@Answer()
export class OfferedToolView {
  @Text({ max: 200, about: 'Identifier for `agent_tools`.', example: 'search_knowledge', filter: 'equals' }) tool!: string;
  @Text({ about: 'Name of the tool for models.', example: 'search_knowledge', filter: 'contains', sort: true }) name!: string;
  @Text({ max: 5_000, about: 'What the tool does.', example: 'Searches the sources of the conversation.' }) description!: string;
  @Json({ about: 'JSON Schema of the input.', example: { type: 'object' } }) schema!: JsonObject;
  @Choice(RISKS, {
    about: 'Effect of the tool: `read` only reads, `write` changes data of the workspace, `external` accesses external services.',
    example: 'read',
    filter: 'equals',
  })
  risk!: ToolRisk;
}

export class OfferedToolPage extends PageOf(OfferedToolView) {}

export class ListOfferedTools extends ListQuery(OfferedToolView, { whole: true }) {}
