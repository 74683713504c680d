import { Clock, type JsonObject } from '@atrium/platform/kernel';
import { Agent, SETTINGS, type AgentFacts } from './agent';
import { checkedParams, checkedRetrieval, checkedWords } from './agent-settings';
import { STANDARD_AGENT } from './standard-agent';

class At extends Clock {
  constructor(private readonly time: Date) {
    super();
  }

  now(): Date {
    return this.time;
  }
}

const CREATED = new Date('2026-05-01T08:00:00Z');
const LATER = new Date('2026-05-02T08:00:00Z');
const blank = (facts: object = {}): Agent =>
  Object.assign(Agent.blank({ agent_id: 'a', agent_name: 'Desk', agent_user: 'u' }, new At(CREATED)), facts);
const saying = (facts: AgentFacts): Agent => {
  const agent = blank();
  agent.describe(facts, null);
  return agent;
};

const pathsOf = (work: () => unknown): string[] => {
  try {
    work();
    return [];
  } catch (error) {
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path);
  }
};

describe('an agent', () => {
  it('takes what is said of it and keeps the rest', () => {
    const agent = saying({
      agent_description: 'Helps.',
      agent_params: { temperature: 0 },
      agent_retrieval: { k: 3 },
      agent_model: undefined,
    });
    expect(agent).toMatchObject({
      agent_name: 'Desk',
      agent_description: 'Helps.',
      agent_params: { temperature: 0 },
      agent_retrieval: { mode: 'tool', k: 3, min_score: 0, audience: 'asker', require: false },
      agent_model: null,
    });
  });

  it('is another version after each change', () => {
    const agent = blank();
    agent.amend(new At(LATER));
    expect(agent).toMatchObject({ agent_version: 2, agent_updated: LATER, agent_created: CREATED });
  });

  it('serves kinds of subjects only when it is opened on one', () => {
    expect(saying({ agent_type: 'context', agent_context_types: ['design', 'file'] }).agent_context_types).toEqual(['file', 'design']);
    expect(pathsOf(() => saying({ agent_context_types: ['file'] }))).toEqual(['agent_context_types']);
    const agent = saying({ agent_type: 'context', agent_context_types: ['file'] });
    expect(pathsOf(() => agent.describe({ agent_type: 'chat' }, null))).toEqual(['agent_context_types']);
  });

  it('is not the default any more once it is inactive, and cannot become it', () => {
    const agent = blank({ agent_default: true });
    agent.delete();
    expect(agent).toMatchObject({ agent_active: false, agent_default: false });
    expect(pathsOf(() => agent.describe({ agent_default: true }, null))).toEqual(['agent_default']);
    agent.describe({ agent_active: true, agent_default: true }, null);
    expect(agent).toMatchObject({ agent_active: true, agent_default: true });
  });

  it('is deleted by nobody while it is managed', () => {
    const agent = blank({ agent_managed_by: 'platform' });
    expect(() => agent.delete()).toThrow(expect.objectContaining({ code: 'in_use' }));
    expect(() => agent.describe({ agent_active: false }, null)).toThrow(expect.objectContaining({ code: 'in_use' }));
    agent.describe({ agent_description: 'Still changed.' }, null);
    expect(agent.agent_active).toBe(true);
  });

  it('begins with at most 200 characters a question', () => {
    expect(pathsOf(() => saying({ agent_starters: ['a'.repeat(200), 'b'.repeat(201)] }))).toEqual(['agent_starters[1]']);
  });

  it('is kept whole in a revision', () => {
    expect(Object.keys(blank().settings)).toEqual([...SETTINGS]);
  });

  it('can be the one that every workspace begins with', () => {
    const agent = blank();
    const { agent_tools: _, ...facts } = STANDARD_AGENT;
    agent.describe(facts, []);
    expect(agent).toMatchObject({ agent_name: 'Assistant', agent_default: true, agent_active: true });
  });
});

describe('parameters of a model', () => {
  it.each<[JsonObject]>([
    [{ temperature: 2, top_p: 1, max_output_tokens: 64_000, reasoning: 'high', stop: ['a', 'b', 'c', 'd'] }],
    [{ temperature: 0, top_p: 0, max_output_tokens: 1, reasoning: 'off', stop: [] }],
    [{}],
  ])('are taken at their bounds: %j', (params) => {
    expect(checkedParams('p', params)).toEqual(params);
  });

  it.each<[params: JsonObject, path: string, code: string]>([
    [{ temperature: 2.1 }, 'p.temperature', 'maximum'],
    [{ temperature: -0.1 }, 'p.temperature', 'minimum'],
    [{ temperature: '1' }, 'p.temperature', 'type'],
    [{ top_p: 1.01 }, 'p.top_p', 'maximum'],
    [{ max_output_tokens: 0 }, 'p.max_output_tokens', 'minimum'],
    [{ max_output_tokens: 64_001 }, 'p.max_output_tokens', 'maximum'],
    [{ max_output_tokens: 1.5 }, 'p.max_output_tokens', 'type'],
    [{ reasoning: 'max' }, 'p.reasoning', 'option'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'p.stop', 'length'],
    [{ stop: [''] }, 'p.stop', 'type'],
    [{ seed: 1 }, 'p.seed', 'unknown_field'],
    [{ constructor: 1 }, 'p.constructor', 'unknown_field'],
  ])('are refused beyond them: %j', (params, path, code) => {
    expect(() => checkedParams('p', params)).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ path, code })] }));
  });
});

describe('settings of retrieval', () => {
  it.each<[JsonObject, string]>([
    [{ mode: 'guess' }, 'r.mode'],
    [{ k: 0 }, 'r.k'],
    [{ k: 51 }, 'r.k'],
    [{ min_score: 1.1 }, 'r.min_score'],
    [{ audience: 'space' }, 'r.audience'],
    [{ require: 'yes' }, 'r.require'],
    [{ rerank: true }, 'r.rerank'],
  ])('are refused with the path: %j', (settings, path) => {
    expect(pathsOf(() => checkedRetrieval('r', settings))).toEqual([path]);
  });
});

describe('words of a closed list', () => {
  it('are each kept once, and strange ones named by their place', () => {
    expect(checkedWords('w', ['b', 'a', 'b'], ['a', 'b', 'c'])).toEqual(['a', 'b']);
    expect(pathsOf(() => checkedWords('w', ['a', 'x'], ['a', 'b']))).toEqual(['w[1]']);
  });
});
