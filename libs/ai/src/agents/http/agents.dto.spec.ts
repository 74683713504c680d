import { faultsOfBody } from '@atrium/platform/testing';
import { CreateAgent } from './agents.dto';

const nulls = (fields: readonly string[], path: (field: string) => string, body: (field: string) => object): [string, object, string][] =>
  fields.map((field) => [`null as ${path(field)}`, body(field), path(field)]);

describe('a new agent', () => {
  it.each<[string, object, string, string]>([
    ['an unknown approval', { agent_tools: [{ tool: 'calculate', approval: 'maybe' }] }, 'agent_tools[0].approval', 'choice'],
    ['an unknown key of a tool', { agent_tools: [{ tool: 'calculate', why: 1 }] }, 'agent_tools[0].why', 'unknown_field'],
    ['too many tools', { agent_tools: Array.from({ length: 41 }, () => ({ tool: 'calculate' })) }, 'agent_tools', 'too_many'],
    ['no name', { agent_name: ' ' }, 'agent_name', 'too_short'],
    ['a long name', { agent_name: 'a'.repeat(121) }, 'agent_name', 'too_long'],
    ['a version', { agent_version: 7 }, 'agent_version', 'unknown_field'],
    ['null in the place of a tool', { agent_tools: [null] }, 'agent_tools', 'array'],
    ['a manager', { agent_managed_by: 'me' }, 'agent_managed_by', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateAgent, { agent_name: 'x', ...more })).toMatchObject([{ path, code }]);
  });

  const FIELDS = [
    'agent_name',
    'agent_type',
    'agent_context_types',
    'agent_params',
    'agent_knowledge',
    'agent_folders',
    'agent_files',
    'agent_retrieval',
    'agent_tools',
    'agent_memory',
    'agent_starters',
    'agent_overrides',
    'agent_acl',
    'agent_default',
    'agent_metadata',
  ];
  const inTool = (field: string): string => `agent_tools[0].${field}`;
  it.each<[string, object, string]>([
    ...nulls(
      FIELDS,
      (field) => field,
      (field) => ({ [field]: null }),
    ),
    ...nulls(['tool', 'config', 'approval'], inTool, (field) => ({ agent_tools: [{ tool: 'fetch_url', [field]: null }] })),
    ...nulls(['client', 'name', 'description', 'schema'], inTool, (field) => ({
      agent_tools: [{ client: true, name: 'x', [field]: null }],
    })),
  ])('is refused with %s', async (_, more, path) => {
    expect((await faultsOfBody(CreateAgent, { agent_name: 'x', ...more })).map((fault) => fault.path)).toEqual([path]);
  });
});
