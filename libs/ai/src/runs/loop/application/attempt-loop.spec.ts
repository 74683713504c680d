import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ModelUsage } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import type { RunRecords } from '../../records/application/run-records';
import { Superseded, type Ending } from '../../records/application/run-records';
import { Answer } from '../../records/domain/answer';
import { Run } from '../../records/domain/run';
import type { StepRow, ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { KnownAddresses } from '../domain/known-addresses';
import { AnswerEnds } from './answer-ends';
import { AnswerStream } from './answer-stream';
import type { BuiltInTools } from './built-in-tools';
import { ModelSteps } from './model-steps';
import { RunAttempt } from './run-attempt';
import { AttemptLoop } from './attempt-loop';
import type { RunSetting, RunSetup } from './run-setup';
import { RunTools, type RunTool } from './run-tools';
import { ToolCalls } from './tool-calls';

const USAGE = { inputTokens: { total: 7 }, outputTokens: { total: 3 } } as LanguageModelV3Usage;
const DONE: LanguageModelV3StreamPart = { type: 'finish', usage: USAGE, finishReason: { unified: 'stop', raw: 'stop' } };

const says = (text: string): LanguageModelV3StreamPart[] => [{ type: 'text-delta', id: 't', delta: text }, DONE];
const calls = (toolName: string, toolCallId = 'c1'): LanguageModelV3StreamPart[] => [
  { type: 'tool-call', toolCallId, toolName, input: '{}' },
  DONE,
];

const tool = (name: string, facts: Partial<RunTool> = {}): [string, RunTool] => [
  name,
  {
    tool: `lab:${name}`,
    name,
    description: '',
    schema: { type: 'object' },
    risk: 'external',
    isClient: false,
    isIdempotent: false,
    approval: 'never',
    config: {},
    ...facts,
  },
];
const TOOLS = new Map([tool('probe'), tool('order', { approval: 'always' })]);

interface Facts {
  /** What the model says each time that it is asked, or how it fails. */
  readonly model?: readonly (LanguageModelV3StreamPart[] | Error)[];
  readonly run?: Partial<Run>;
  readonly options?: object;
  readonly steps?: readonly Partial<StepRow>[];
  readonly called?: readonly Partial<ToolCallRow>[];
  readonly hasCredits?: boolean;
  readonly records?: Partial<RunRecords>;
}

/** The course of an attempt with a model that says what the test says: what was done in which order, and how it ended. */
function course({ model = [], run: facts = {}, options = {}, steps = [], called = [], hasCredits = true, records = {} }: Facts) {
  const done: string[] = [];
  const endings: Ending[] = [];
  const said = [...model];
  const kept: Partial<RunRecords> = {
    beginStep: async (_, { reserve }) => ({ stop: false, ...(await reserve()) }),
    recordStep: (_, { step, correction }) => Promise.resolve(void done.push(`step ${step}${correction === null ? '' : ' to correct'}`)),
    recordCallStart: (_, call_id) => Promise.resolve(void done.push(`${call_id} begins`)),
    callEnds: (_, { call_id, state }) => Promise.resolve(void done.push(`${call_id} is ${state}`)),
    recordWait: () => Promise.resolve(void done.push('waits')),
    saveCheckpoint: () => Promise.resolve({ stop: !done.push('text is kept') }),
    recordEnd: (_, ending) => Promise.resolve(void endings.push(ending)),
    ...records,
  };
  const plan = { max_steps: 8, retrieval: { require: false }, schema: null, params: {}, max_output: 100, greeting: null, prompt_id: null };
  const run = Object.assign(new Run(), {
    run_id: 'r1',
    run_thread: 't1',
    run_model: 'm',
    run_options: { ...plan, ...options },
    run_sources: [],
    run_tainted: null,
    run_stop_requested: false,
    run_due: null,
    ...facts,
  });
  const answer = new Answer();
  const stream = new AnswerStream(answer, () => Promise.resolve('1'), 0);
  const [stop, shutdown, overtime] = [new AbortController(), new AbortController(), new AbortController()];
  const claimed = { run, attempt: 1, steps: steps as StepRow[], calls: called as ToolCallRow[], parts: [], wasLost: false };
  const attempt = new RunAttempt(
    { claimed, answer, stream, count: (text) => text.length, stop, shutdown: shutdown.signal, overtime: overtime.signal },
    kept as RunRecords,
  );
  const asked: LanguageModelV3 = {
    doStream: () => {
      done.push('the model is asked');
      const next = said.shift() ?? new Error('The model is asked too often.');
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve({ stream: ReadableStream.from(next) });
    },
  } as Partial<LanguageModelV3> as LanguageModelV3;
  const setting = {
    ground: { question: 'What?', said: [] },
    tools: TOOLS,
    scene: {},
    input: {
      system: { role: 'system', content: '' },
      turns: [],
      question: { role: 'user', content: [{ type: 'text', text: 'What?' }] },
      sources: [],
      budget: 100_000,
    },
    model: asked,
  } as unknown as RunSetting;
  const setup: Partial<RunSetup> = {
    prepareSetting: () => Promise.resolve(done.push('rows are read') ? setting : setting),
    refreshSetting: () => Promise.resolve(done.push('rights are read') ? setting : setting),
    collectAddresses: () => new KnownAddresses([]),
  };
  const credits: Partial<ModelUsage> = {
    reserveLines: () =>
      hasCredits
        ? Promise.resolve({ hold_id: 'h1' } as never)
        : Promise.reject(new Problem('credits_exhausted', 'There are no credits left.')),
  };
  const tools = new RunTools(
    undefined as never,
    undefined as never,
    undefined as never,
    { hasTool: () => false } as unknown as BuiltInTools,
  );
  tools.runTool = () => Promise.resolve({ output: 1, shown: 1 });
  const modelSteps = new ModelSteps(tools, credits as ModelUsage, {
    now: () => new Date('2026-01-01T00:00:00Z'),
    after: () => new Date('2026-01-01T00:00:00Z'),
  });
  const whole = new AttemptLoop(setup as RunSetup, modelSteps, new ToolCalls(tools), new AnswerEnds());
  return { done, endings, stop, shutdown, overtime, answer, run: () => whole.runAttempt(attempt) };
}

const STEP: Partial<StepRow> = { step: 1, parts: [{ kind: 'text', text: 'Three months.' }], finish: 'stop', correction: null };
const CALL: Partial<ToolCallRow> = { call_id: 'c1', step: 1, tool: 'probe', input: {}, waits_for: null, idempotent: true, invalid: false };

describe('the course of a run', () => {
  it('makes the calls of a step, reads the rights of the asker again, and ends with the step that asks for nothing', async () => {
    const { run, done, endings } = course({ model: [calls('probe'), says('Three months.')] });
    await run();
    expect(done).toEqual([
      'rows are read',
      'the model is asked',
      'step 1',
      'c1 begins',
      'c1 is done',
      'rights are read',
      'the model is asked',
      'step 2',
    ]);
    expect(endings).toMatchObject([{ status: 'completed', finish: 'stop', parts: [{ kind: 'tool' }, { text: 'Three months.' }] }]);
  });

  it('waits for consent with nothing else left to do, and does not end', async () => {
    const both = [...calls('order', 'c1').slice(0, 1), ...calls('probe', 'c2')];
    const { run, done, endings } = course({ model: [both] });
    await run();
    expect(done.slice(2)).toEqual(['step 1', 'c2 begins', 'c2 is done', 'waits']);
    expect(endings).toEqual([]);
  });

  it('asks once more for an answer that breaks a rule', async () => {
    const { run, done, endings } = course({ model: [says('Three.'), says('Four.')], options: { retrieval: { require: true } } });
    await run();
    expect(done.filter((entry) => entry.startsWith('step'))).toEqual(['step 1 to correct', 'step 2']);
    expect(endings).toMatchObject([{ status: 'completed' }]);
  });

  it('asks no model where a worker that was lost had committed the answer', async () => {
    const { run, done, endings } = course({ steps: [STEP] });
    await run();
    expect(done).toEqual(['rows are read']);
    expect(endings).toMatchObject([{ status: 'completed', finish: 'stop' }]);
  });

  it('first makes the calls that a lost worker left', async () => {
    const { run, done } = course({ steps: [STEP], called: [{ ...CALL, state: 'pending' }], model: [says('Done.')] });
    await run();
    expect(done).toEqual(['rows are read', 'c1 begins', 'c1 is done', 'rights are read', 'the model is asked', 'step 2']);
  });

  it('reads nothing where it was to stop before it began', async () => {
    const { run, done, endings } = course({ run: { run_stop_requested: true } });
    await run();
    expect([done, endings]).toMatchObject([[], [{ status: 'stopped', finish: 'stopped' }]]);
  });

  it('ends with what it has where there are no credits for a step', async () => {
    const { run, done, endings } = course({ hasCredits: false });
    await run();
    expect([done, endings]).toMatchObject([['rows are read'], [{ status: 'completed', finish: 'length' }]]);
  });

  it('ends cut where the message has no room for the calls of its step', async () => {
    const all: LanguageModelV3StreamPart[] = [
      { type: 'tool-call', toolCallId: 'c1', toolName: 'probe', input: JSON.stringify({ text: 'x'.repeat(2_100_000) }) },
      DONE,
    ];
    const { run, done, endings } = course({ model: [[{ type: 'text-delta', id: 't', delta: 'I look.' }, ...all]] });
    await run();
    expect(done).toEqual(['rows are read', 'the model is asked', 'step 1']);
    expect(endings).toMatchObject([{ status: 'completed', finish: 'length' }]);
  });
});

describe('a run whose work breaks off', () => {
  const refusal = new Problem('unprocessable_content', 'The model refuses.');

  it('has failed where the model fails, with a reason for the asker', async () => {
    const { run, endings } = course({ model: [refusal] });
    await run();
    expect(endings).toMatchObject([{ status: 'failed', finish: 'error', error: { code: refusal.code, detail: refusal.detail } }]);
  });

  it('goes to another worker where the host fails', async () => {
    const { run, endings } = course({
      records: { recordStep: () => Promise.reject(new Error('PostgreSQL is away.')) },
      model: [says('Three.')],
    });
    await expect(run()).rejects.toThrow('PostgreSQL is away.');
    expect(endings).toEqual([]);
  });

  it('writes nothing more where another attempt has it', async () => {
    const { run, done, endings, stop } = course({
      records: {
        recordStep: () => {
          stop.abort();
          return Promise.reject(new Superseded());
        },
      },
      model: [says('Three.')],
    });
    await expect(run()).rejects.toBeInstanceOf(Superseded);
    expect([done, endings]).toEqual([['rows are read', 'the model is asked'], []]);
  });

  it('keeps its text every two seconds while it works, and no longer', async () => {
    const [ticks, intervals, cleared]: [(() => void)[], unknown[], unknown[]] = [[], [], []];
    const timer = { unref: () => timer };
    const begins = (tick: () => void, ms: number) => {
      ticks.push(tick);
      intervals.push(ms);
      return timer;
    };
    jest.spyOn(globalThis, 'setInterval').mockImplementation(begins as never);
    jest.spyOn(globalThis, 'clearInterval').mockImplementation((one: unknown) => void cleared.push(one));
    const beginStep: RunRecords['beginStep'] = async (_, { reserve }) => {
      for (const tick of ticks) tick();
      expect(cleared).toEqual([]);
      return { stop: false, ...(await reserve()) };
    };
    const { run, done, endings } = course({ model: [says('Three months.')], records: { beginStep } });
    await run();
    jest.restoreAllMocks();
    expect(endings).toMatchObject([{ status: 'completed' }]);
    expect(done.filter((what) => what === 'text is kept')).toHaveLength(1);
    expect([intervals, cleared]).toEqual([[2_000], [timer]]);
  });

  it('keeps its text for the next worker at a shutdown', async () => {
    const { run, done, endings, shutdown } = course({ model: [says('Three.')], records: {} });
    shutdown.abort();
    await expect(run()).rejects.toThrow();
    expect([done, endings]).toEqual([['rows are read', 'text is kept'], []]);
  });

  it('is stopped with what its step took so far', async () => {
    const facts = course({ model: [new DOMException('stopped', 'AbortError')] });
    await cutOff(facts, facts.stop);
    expect(facts.endings).toMatchObject([{ status: 'stopped', finish: 'stopped', unfinished: { estimated: true } }]);
  });

  it('ends with what was said where its time is over', async () => {
    const facts = course({ model: [new DOMException('over', 'AbortError')] });
    await cutOff(facts, facts.overtime);
    expect(facts.endings).toMatchObject([{ status: 'completed', finish: 'length', parts: [{ code: 'time_is_over' }] }]);
  });
});

/** Runs it, and ends it while the model is asked. */
async function cutOff({ run, done }: Pick<ReturnType<typeof course>, 'run' | 'done'>, end: AbortController): Promise<void> {
  const push = done.push.bind(done);
  done.push = (...entries) => {
    if (entries.includes('the model is asked')) end.abort();
    return push(...entries);
  };
  await run();
}
