import { invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';

/** What a tool can do: read what the asker may read, change something of the workspace, or reach outside of it. */
export const RISKS = ['read', 'write', 'external'] as const;
export type ToolRisk = (typeof RISKS)[number];

/** When a person must approve a call: never, always, or once the run has read text from outside. */
export const APPROVALS = ['never', 'always', 'tainted'] as const;
export type Approval = (typeof APPROVALS)[number];

/** A tool as models are offered it. */
export interface OfferedTool {
  /** Its own name, or `workflow:<uuid>`, `integration:<uuid>/<action>`. */
  readonly tool: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input, an object. */
  readonly schema: JsonObject;
  readonly risk: ToolRisk;
}

/** A tool of the service or of the workspace that an agent has. */
export interface AttachedTool {
  readonly tool: string;
  readonly config?: JsonObject;
  readonly approval: Approval;
}

/** A tool that the caller of the API carries out: the run waits for its result. */
export interface ClientTool {
  readonly client: true;
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly approval: Approval;
}

export type AgentTool = AttachedTool | ClientTool;

export const isClientTool = (tool: AgentTool): tool is ClientTool => 'client' in tool;

/** One entry as somebody enters it. */
export interface ToolFacts {
  readonly tool?: string;
  readonly config?: JsonObject;
  readonly approval?: Approval;
  readonly client?: boolean;
  readonly name?: string;
  readonly description?: string;
  readonly schema?: JsonObject;
}

export const MOST_TOOLS = 40;
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** How an entry that says nothing of approval is approved. */
const usualApproval = (risk: ToolRisk): Approval => (risk === 'read' ? 'never' : 'tainted');

/**
 * The tools of an agent as somebody enters them: each names a tool that `offered` knows, or describes one of the client. No two
 * have the same name, for models call them by it.
 */
export function checkedTools(field: string, tools: readonly ToolFacts[], offered: ReadonlyMap<string, OfferedTool>): AgentTool[] {
  const faults: FieldFault[] = [];
  const names = new Set<string>();
  const checked = tools.flatMap((facts, at): AgentTool[] => {
    const path = `${field}[${at}]`;
    const found = facts.client === true ? clientTool(path, facts) : attachedTool(path, facts, offered);
    if (Array.isArray(found)) {
      faults.push(...found);
      return [];
    }
    const name = isClientTool(found) ? found.name : (offered.get(found.tool)?.name ?? found.tool);
    if (names.has(name)) faults.push({ path, code: 'duplicate', message: `is the second tool named ${name}` });
    names.add(name);
    return [found];
  });
  if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
  return checked;
}

function attachedTool(path: string, facts: ToolFacts, offered: ReadonlyMap<string, OfferedTool>): AttachedTool | FieldFault[] {
  const strange = (['name', 'description', 'schema'] as const).filter((key) => facts[key] !== undefined);
  if (strange.length > 0)
    return strange.map((key) => ({
      path: `${path}.${key}`,
      code: 'not_applicable',
      message: 'is allowed only for client tools (`client: true`)',
    }));
  if (facts.tool === undefined)
    return [
      {
        path: `${path}.tool`,
        code: 'required',
        message: 'is missing: set a tool of GET /agents/tools, or describe a client tool with `client: true`',
      },
    ];
  const known = offered.get(facts.tool);
  if (!known) return [{ path: `${path}.tool`, code: 'reference', message: 'is not a tool that you can attach; see GET /agents/tools' }];
  const { tool, config, approval = usualApproval(known.risk) } = facts;
  return { tool, ...(config === undefined ? {} : { config }), approval };
}

function clientTool(path: string, { tool, config, name, description, schema, approval = 'never' }: ToolFacts): ClientTool | FieldFault[] {
  const faults: FieldFault[] = [];
  if (tool !== undefined) faults.push({ path: `${path}.tool`, code: 'not_applicable', message: 'must be omitted for a client tool' });
  if (config !== undefined) faults.push({ path: `${path}.config`, code: 'not_applicable', message: 'must be omitted for a client tool' });
  if (name === undefined || !NAME.test(name))
    faults.push({
      path: `${path}.name`,
      code: name === undefined ? 'required' : 'pattern',
      message: 'must be a name of at most 64 letters from a to z, digits, _ and - that begins with a letter',
    });
  if (schema !== undefined && schema.type !== 'object')
    faults.push({ path: `${path}.schema`, code: 'schema', message: 'must describe an object (`"type": "object"`)' });
  if (faults.length > 0 || name === undefined) return faults;
  return { client: true, name, description: description ?? '', schema: schema ?? { type: 'object' }, approval };
}
