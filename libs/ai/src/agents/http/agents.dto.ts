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

/** One tool as clients write it. */
@Accepts()
export class AgentToolBody {
  @Text({
    omittable: true,
    min: 1,
    max: 200,
    about: 'A tool of GET /agents/tools: a built-in one, `workflow:<id>` or `integration:<id>/<action>`.',
    example: 'search_knowledge',
  })
  tool?: string;
  @Json({ omittable: true, about: 'Settings of the tool.' }) config?: JsonObject;
  @Choice(APPROVALS, {
    omittable: true,
    about:
      'When a person must approve a call: `tainted`: once the run has read text that the asker did not write. When absent: `never` for tools that read and for tools of the client, `tainted` for the others.',
  })
  approval?: Approval;
  @Flag({
    omittable: true,
    about: 'True: a tool that your client carries out. Give `name`, `description` and `schema` then, and no `tool`.',
  })
  client?: boolean;
  @Text({ omittable: true, min: 1, max: 64, about: 'Name of a tool of the client.', example: 'open_dialog' }) name?: string;
  @Text({ omittable: true, max: 2_000, about: 'What a tool of the client does, for the model.' }) description?: string;
  @Json({ omittable: true, max: MOST_SCHEMA_BYTES, about: 'JSON Schema of its input, an object.' }) schema?: JsonObject;
}

@Accepts()
class AgentToolsBody {
  @NestedList(() => AgentToolBody, {
    omittable: true,
    max: MOST_TOOLS,
    about: 'Its tools.',
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
  about: 'Words of the name or description; quotes, `or` and `-` as in a web search.',
});

@Answer()
export class AgentToolView {
  @Text({ omittable: true, max: 200, about: 'The tool; absent for one of the client.' }) tool?: string;
  @Json({ omittable: true, about: 'Settings of the tool.' }) config?: JsonObject;
  @Choice(APPROVALS, { about: 'When a person must approve a call.' }) approval!: Approval;
  @Flag({ omittable: true, about: 'True for a tool of the client.' }) client?: boolean;
  @Text({ omittable: true, about: 'Name of a tool of the client.' }) name?: string;
  @Text({ omittable: true, max: 2_000, about: 'What a tool of the client does.' }) description?: string;
  @Json({ omittable: true, about: 'JSON Schema of its input.' }) schema?: JsonObject;
}

@Answer()
export class AgentView extends View(Agent, { without: ['agent_tools', 'agent_instructions'] }) {
  @Text({
    omittable: true,
    max: 50_000,
    optional: true,
    about: 'What the model reads before every conversation; absent for callers who may only run agents.',
  })
  agent_instructions?: string | null;
  @NestedList(() => AgentToolView, { about: 'Its tools.', example: [{ tool: 'search_knowledge', approval: 'never' }] })
  agent_tools!: AgentToolView[];
}

export class AgentPage extends PageOf(AgentView) {}

@Answer()
export class OfferedToolView {
  @Text({ max: 200, about: 'What `agent_tools` names it by.', example: 'search_knowledge', filter: 'equals' }) tool!: string;
  @Text({ about: 'What models call it by.', example: 'search_knowledge', filter: 'contains', sort: true }) name!: string;
  @Text({ max: 5_000, about: 'What it does.', example: 'Searches the sources of the conversation.' }) description!: string;
  @Json({ about: 'JSON Schema of its input.', example: { type: 'object' } }) schema!: JsonObject;
  @Choice(RISKS, {
    about: '`read` only reads, `write` changes something of the workspace, `external` reaches outside of it.',
    example: 'read',
    filter: 'equals',
  })
  risk!: ToolRisk;
}

export class OfferedToolPage extends PageOf(OfferedToolView) {}

export class ListOfferedTools extends ListQuery(OfferedToolView, { whole: true }) {}
