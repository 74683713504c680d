import type { Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import Ajv2020 from 'ajv/dist/2020';
import { ToolSources, type ToolCall, type ToolOutcome } from '../../../agents/application/tool-sources';
import { BUILT_IN_TOOLS } from '../../../agents/domain/built-in-tools';
import { ToolLoop } from '../domain/tool-loop';
import type { BuiltInTools, ToolScene } from './built-in-tools';
import { boundedResult, RunTools, type RunTool } from './run-tools';

const tool = (facts: Partial<RunTool> = {}): RunTool => ({
  tool: 'lab:order',
  name: 'order',
  description: 'Orders something.',
  schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
  risk: 'external',
  isClient: false,
  isIdempotent: false,
  approval: 'never',
  config: {},
  ...facts,
});

const TERMS = { tainted: false, attended: true, said: [] };

/** The tools of a run whose only source does as the test says. */
function toolsWith(
  execute: (call: ToolCall) => Promise<ToolOutcome> = () => Promise.resolve({ output: null }),
  { ofService = false } = {},
): RunTools {
  const sources = new ToolSources();
  sources.register({ prefix: 'lab', listTools: () => Promise.resolve([]), findTools: () => Promise.resolve([]), executeCall: execute });
  const builtIn = { hasTool: () => ofService } as unknown as BuiltInTools;
  return new RunTools(undefined as never, undefined as never, sources, builtIn);
}

describe('a call', () => {
  const check = (
    facts: Partial<RunTool>,
    input: string,
    { tainted = false, attended = true, loop = new ToolLoop(8), said = [] as string[] } = {},
  ) => toolsWith().checkCall({ call_id: 'c1', tool: 'order', input }, new Map([['order', tool(facts)]]), loop, { tainted, attended, said });

  it.each<[string, Partial<RunTool>, boolean, 'approval' | 'client' | null]>([
    ['is made at once', { approval: 'never' }, true, null],
    ['waits for a person', { approval: 'always' }, false, 'approval'],
    ['is made before text of strangers was read', { approval: 'tainted' }, false, null],
    ['waits for a person after it', { approval: 'tainted' }, true, 'approval'],
    ['is made after it where it only reads', { approval: 'tainted', risk: 'read' }, true, null],
    ['waits for the client', { isClient: true }, true, 'client'],
    ['waits for a person before it waits for the client', { isClient: true, approval: 'always' }, false, 'approval'],
  ])('%s: %j', (_, facts, tainted, waits_for) => {
    expect(check(facts, '{"count":1}', { tainted })).toMatchObject({ fault: null, waits_for });
  });

  it.each<[string, boolean, 'approval' | null]>([
    ['https://harbour.example/tariff', true, null],
    ['https://harbour.example/?data=secret', true, 'approval'],
    ['https://harbour.example/?data=secret', false, null],
  ])('that fetches %s waits for a person once text of strangers was read, unless the asker gave the address: %s', (url, tainted, waits) => {
    const fetching = tool({ tool: 'fetch_url', name: 'fetch_url', approval: 'tainted', schema: { type: 'object' } });
    const call = { call_id: 'c1', tool: 'fetch_url', input: JSON.stringify({ url }) };
    const terms = { tainted, attended: true, said: ['What does https://harbour.example/tariff say?'] };
    expect(toolsWith().checkCall(call, new Map([['fetch_url', fetching]]), new ToolLoop(8), terms)).toMatchObject({ waits_for: waits });
  });

  it.each<[string, string, boolean]>([
    ['{"count": ', 'The input is not valid JSON of an object.', true],
    ['[1]', 'The input is not valid JSON of an object.', true],
    ['{"count":"two"}', 'The input is not valid: value/count must be integer.', true],
    ['', "The input is not valid: value must have required property 'count'.", true],
  ])('with the input %j is not made', (input, fault, isInvalid) => {
    expect(check({}, input)).toMatchObject({ fault, isInvalid, waits_for: null });
  });

  it('is held against a schema that was compiled once in all runs', () => {
    const compiles = jest.spyOn(Ajv2020.prototype, 'compile');
    try {
      const schema = (): JsonObject => ({ type: 'object', properties: { port: { type: 'string' } }, title: 'compiled once for all runs' });
      for (let run = 0; run < 3; run++) expect(check({ schema: schema() }, '{"port":1}').isInvalid).toBe(true);
      for (const { tool: name, schema: constant } of BUILT_IN_TOOLS) {
        // A suite before this one may have had the constants themselves compiled.
        const own = structuredClone(constant);
        for (let run = 0; run < 3; run++)
          toolsWith(undefined, { ofService: true }).checkCall(
            { call_id: 'c1', tool: name, input: '{}' },
            new Map([[name, tool({ tool: name, schema: own })]]),
            new ToolLoop(8),
            TERMS,
          );
      }
      expect(compiles).toHaveBeenCalledTimes(1 + BUILT_IN_TOOLS.length);
    } finally {
      compiles.mockRestore();
    }
  });

  it('is not made a third time, nor where there is no such tool', () => {
    const loop = new ToolLoop(8);
    for (let time = 0; time < 2; time++) loop.recordCall({ tool: 'order', input: { count: 1 }, isInvalid: false });
    expect(check({}, '{"count":1}', { loop }).fault).toBe('The same call was made twice already.');
    expect(toolsWith().checkCall({ call_id: 'c1', tool: 'other', input: '{}' }, new Map(), loop, TERMS).fault).toBe(
      'There is no tool other.',
    );
  });

  it.each<[string, Partial<RunTool>, boolean]>([
    ['would wait for a person', { approval: 'always' }, false],
    ['would wait for a person after text of strangers', { approval: 'tainted' }, true],
    ['would wait for the client', { isClient: true }, false],
  ])('is not made where nobody can be asked and it %s', (_, facts, tainted) => {
    expect(check(facts, '{"count":1}', { tainted, attended: false })).toMatchObject({
      fault: expect.stringContaining('has no thread in which to ask'),
      isInvalid: false,
      waits_for: null,
    });
  });

  it('is not made again where its outcome is unknown', () => {
    const loop = new ToolLoop(8);
    loop.noteUncertain({ tool: 'order', input: { count: 1 } });
    expect(check({}, '{"count":1}', { loop })).toMatchObject({ fault: 'The outcome of the same call is unknown; it is not made again.' });
    expect(check({}, '{"count":2}', { loop })).toMatchObject({ fault: null });
  });

  it('of a tool with half a character at the place where its name is cut has a fault that can be stored', () => {
    const name = `${'x'.repeat(79)}\u{1f600}`;
    const { fault } = toolsWith().checkCall({ call_id: 'c1', tool: name, input: '{}' }, new Map(), new ToolLoop(8), TERMS);
    expect(fault).toBe(`There is no tool ${'x'.repeat(79)}.`);
  });
});

describe('a tool that is called', () => {
  const scene = (signal = new AbortController().signal): ToolScene => ({ actor: { user_id: 'u1' } as Principal, signal }) as ToolScene;
  afterEach(() => jest.restoreAllMocks());

  it('has a minute, whether it minds its signal or not', async () => {
    const time = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    const made: ToolCall[] = [];
    const run = toolsWith((call) => {
      made.push(call);
      return new Promise(() => undefined);
    }).runTool(tool(), { count: 1 }, 'r1:c1', scene());
    time.abort();
    await expect(run).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(timeout).toHaveBeenCalledWith(60_000);
    expect(made.map(({ key, signal }) => [key, signal.aborted])).toEqual([['r1:c1', true]]);
  });

  it('taints the run with whatever it brings, unless it is a tool of the service, which knows better', () => {
    expect(toolsWith().findTaint(tool())).toBe('the result of order');
    const own = new RunTools(
      undefined as never,
      undefined as never,
      undefined as never,
      { hasTool: () => true } as unknown as BuiltInTools,
    );
    expect(own.findTaint(tool({ tool: 'calculate' }))).toBeNull();
  });
});

describe('the output of a tool', () => {
  it('is cut where it is long, also in what is shown of it', () => {
    const output: JsonObject = { text: 'x'.repeat(60_000) };
    const cut = boundedResult({ output, shown: output });
    expect(cut.output).toMatchObject({ cut: true, text: expect.stringMatching(/^\{"text":"x{49991}$/) });
    expect(cut.shown).toBe(cut.output);
    expect(boundedResult({ output, shown: { found: 1 } }).shown).toEqual({ found: 1 });
  });

  it('is not cut within a character, and has nothing that cannot be stored', () => {
    const { output } = boundedResult({ output: `${'x'.repeat(49_999)}\u{1f600}`.padEnd(60_000, 'y'), shown: null });
    expect(output).toEqual({ text: 'x'.repeat(49_999), cut: true });
    expect(boundedResult({ output: { a: 'b\u0000' }, shown: null }).output).toEqual({ a: 'b' });
  });
});
