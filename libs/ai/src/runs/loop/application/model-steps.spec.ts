import { Answer } from '../../records/domain/answer';
import { Run } from '../../records/domain/run';
import type { ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { AnswerStream } from './answer-stream';
import { actsOf, ModelSteps, pauseOf } from './model-steps';
import { RunAttempt } from './run-attempt';
import type { RunRecords } from '../../records/application/run-records';
import type { RunTool } from './run-tools';

describe('the pause before a provider is asked again', () => {
  it('grows with each time, and is never the same for all who wait', () => {
    expect([1, 2, 3].map((time) => pauseOf(time, 0.5))).toEqual([500, 1_000, 2_000]);
    expect([0, 1].map((chance) => pauseOf(1, chance))).toEqual([250, 750]);
  });
});

describe('what a run did besides reading', () => {
  const call = (call_id: string, tool: string, state: ToolCallRow['state'], invalid = false): ToolCallRow =>
    ({ call_id, tool, state, invalid }) as ToolCallRow;

  it('are the calls of tools that do more, and of those that are gone, with what came of them', () => {
    const tools = new Map<string, RunTool>([
      ['find', { risk: 'read' } as RunTool],
      ['send', { risk: 'external' } as RunTool],
    ]);
    const calls = [
      call('a', 'find', 'done'),
      call('b', 'send', 'done'),
      call('c', 'send', 'unknown'),
      call('d', 'sold', 'error'),
      call('e', 'send', 'error', true),
      call('f', 'send', 'pending'),
    ];
    expect([...actsOf(calls, tools)]).toEqual([
      ['b', 'done'],
      ['c', 'may have happened'],
      ['d', 'failed'],
    ]);
  });
});

describe('a step of an answer that has to cite', () => {
  const REASONING = 'The lease says three months.';

  /** The attempt once it has kept a step whose words and thoughts were held. */
  async function kept(text: string): Promise<RunAttempt> {
    const run_options = { max_steps: 8, retrieval: { require: true }, schema: null };
    const run_sources = [{ n: 1, source_kind: 'file', source_id: 'f', passage_id: 'p', text: 'Three months.' }];
    const run = Object.assign(new Run(), { run_id: 'r1', run_options, run_sources, run_tainted: null });
    const answer = new Answer();
    const stream = new AnswerStream(answer, () => Promise.resolve('7'), 0);
    const { signal } = new AbortController();
    const claimed = { run, attempt: 1, steps: [], calls: [], parts: [], wasLost: false };
    const of = {
      claimed,
      answer,
      stream,
      count: (said: string) => said.length,
      stop: new AbortController(),
      shutdown: signal,
      overtime: signal,
    };
    const attempt = new RunAttempt(of, { recordStep: () => Promise.resolve() } as unknown as RunRecords);
    const steps = new ModelSteps(undefined as never, undefined as never, undefined as never);
    const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 1, estimated: false };
    await steps.commitStep(
      attempt,
      { text, held: { text, reasoning: REASONING }, calls: [], usage, finish: 'stop' },
      { checked: [], correction: null },
    );
    return attempt;
  }

  it('is written out, its thoughts before its words, once it cites', async () => {
    const parts = [
      { kind: 'reasoning', text: REASONING },
      { kind: 'text', text: 'Three months [1].' },
    ];
    const { answer, steps } = await kept('Three months [1].');
    expect(answer.parts).toEqual(parts);
    expect(steps).toMatchObject([{ step: 1, parts }]);
  });

  it('is shown to nobody while it cites nothing that there is, and known to the next step by its words', async () => {
    const { answer, steps } = await kept('Three months [2].');
    expect(answer.parts).toEqual([]);
    expect(steps.map(({ parts }) => parts)).toEqual([[{ kind: 'text', text: 'Three months [2].' }]]);
  });
});
