import { checkedTools, type OfferedTool, type ToolFacts } from './agent-tool';
import { BUILT_IN_TOOLS } from './built-in-tools';

const WORKFLOW: OfferedTool = { tool: 'workflow:1', name: 'publish', description: '', schema: { type: 'object' }, risk: 'write' };
const offered = new Map<string, OfferedTool>([...BUILT_IN_TOOLS.map((tool) => [tool.tool, tool] as const), [WORKFLOW.tool, WORKFLOW]]);

const faultsOf = (tools: readonly ToolFacts[]): [string, string][] => {
  try {
    checkedTools('agent_tools', tools, offered);
    return [];
  } catch (error) {
    return (error as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code]);
  }
};

describe('the tools of an agent', () => {
  it('need approval as their risk says, unless the agent says otherwise', () => {
    expect(
      checkedTools(
        't',
        [{ tool: 'calculate' }, { tool: 'create_document' }, { tool: 'fetch_url', approval: 'always' }, { tool: 'workflow:1' }],
        offered,
      ),
    ).toEqual([
      { tool: 'calculate', approval: 'never' },
      { tool: 'create_document', approval: 'tainted' },
      { tool: 'fetch_url', approval: 'always' },
      { tool: 'workflow:1', approval: 'tainted' },
    ]);
  });

  it('of the client are described by the agent', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(
      checkedTools(
        't',
        [
          { client: true, name: 'open_dialog', description: 'Opens.', schema },
          { client: true, name: 'ping' },
        ],
        offered,
      ),
    ).toEqual([
      { client: true, name: 'open_dialog', description: 'Opens.', schema, approval: 'never' },
      { client: true, name: 'ping', description: '', schema: { type: 'object' }, approval: 'never' },
    ]);
  });

  it('are refused with the path of what is wrong', () => {
    expect(faultsOf([{ tool: 'calculate' }, { tool: 'mcp:1/x' }, { tool: 'generate_image' }])).toEqual([
      ['agent_tools[1].tool', 'reference'],
      ['agent_tools[2].tool', 'reference'],
    ]);
    expect(faultsOf([{}])).toEqual([['agent_tools[0].tool', 'required']]);
    expect(faultsOf([{ tool: 'calculate', name: 'x' }])).toEqual([['agent_tools[0].name', 'not_applicable']]);
    expect(faultsOf([{ client: true, tool: 'calculate', name: 'x' }])).toEqual([['agent_tools[0].tool', 'not_applicable']]);
    expect(faultsOf([{ client: true, name: 'open dialog' }])).toEqual([['agent_tools[0].name', 'pattern']]);
    expect(faultsOf([{ client: true }])).toEqual([['agent_tools[0].name', 'required']]);
    expect(faultsOf([{ client: true, name: 'x', schema: { type: 'string' } }])).toEqual([['agent_tools[0].schema', 'schema']]);
  });

  it('have names of their own, because models call them by these', () => {
    expect(faultsOf([{ tool: 'calculate' }, { tool: 'calculate' }])).toEqual([['agent_tools[1]', 'duplicate']]);
    expect(faultsOf([{ tool: 'calculate' }, { client: true, name: 'calculate' }])).toEqual([['agent_tools[1]', 'duplicate']]);
    expect(faultsOf([{ tool: 'workflow:1' }, { client: true, name: 'publish' }])).toEqual([['agent_tools[1]', 'duplicate']]);
  });
});
