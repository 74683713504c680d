import { Answer } from '../../records/domain/answer';
import { Run } from '../../records/domain/run';
import type { FinishedStep, ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { AnswerStream } from './answer-stream';
import { RunAttempt } from './run-attempt';
import { Superseded, type RunRecords } from '../../records/application/run-records';

const call = (facts: Partial<ToolCallRow> = {}): ToolCallRow =>
  ({ call_id: 'c1', step: 1, tool: 'order', input: {}, state: 'done', error: null, invalid: false, ...facts }) as ToolCallRow;

interface Facts {
  readonly steps?: readonly FinishedStep[];
  readonly calls?: readonly ToolCallRow[];
  readonly records?: Partial<RunRecords>;
  readonly count?: (text: string) => number;
}

function attempt({ steps = [], calls = [], records = {}, count = (text) => text.length }: Facts = {}) {
  const answer = new Answer();
  const stop = new AbortController();
  const [shutdown, overtime] = [new AbortController(), new AbortController()];
  const run = Object.assign(new Run(), { run_id: 'r1', run_options: { max_steps: 8 }, run_sources: [], run_tainted: null });
  const claimed = { run, attempt: 2, steps: steps as never, calls, parts: [], wasLost: true };
  const stream = new AnswerStream(answer, () => Promise.resolve('7'), 0);
  const of = { claimed, answer, stream, count, stop, shutdown: shutdown.signal, overtime: overtime.signal };
  return { one: new RunAttempt(of, records as RunRecords), answer, stream, stop, shutdown, overtime };
}

describe('an attempt at a run', () => {
  it('counts calls of the worker before against the loop', () => {
    const { one } = attempt({ calls: [call({ call_id: 'a' }), call({ call_id: 'b' })] });
    expect(one.loop.isRepeated({ tool: 'order', input: {} })).toBe(true);
  });

  it.each([
    ['invalid', { state: 'error' as const, invalid: true, error: 'Anything.' }, false],
    ['not invalid', { state: 'error' as const, invalid: false, error: 'The input was too much for it.' }, true],
  ])('knows which inputs of the worker before were %s by what is kept of them', (_, facts, offered) => {
    const calls = [call({ call_id: 'a', input: { a: 1 }, ...facts }), call({ call_id: 'b', input: { a: 2 }, ...facts })];
    expect(attempt({ calls }).one.loop.isOffered('order')).toBe(offered);
  });

  it('knows the calls whose outcome the worker before did not know', () => {
    const { loop } = attempt({ calls: [call({ state: 'unknown', input: { a: 1 } })] }).one;
    expect([loop.isUncertain({ tool: 'order', input: { a: 1 } }), loop.isUncertain({ tool: 'order', input: { a: 2 } })]).toEqual([
      true,
      false,
    ]);
  });

  it('ends with its time, which is neither a stop nor a shutdown', () => {
    const { one, overtime } = attempt();
    overtime.abort();
    expect([one.signal.aborted, one.isOverdue, one.isStopped, one.isShutDown]).toEqual([true, true, false, false]);
  });

  it('writes one thing after the other, also behind one that failed', async () => {
    const { one } = attempt();
    const order: string[] = [];
    let release: () => void = () => undefined;
    const first = one.writeRecords(async () => {
      await new Promise<void>((resolve) => (release = resolve));
      order.push('first');
      throw new Error('It failed.');
    });
    const second = one.writeRecords(() => Promise.resolve(order.push('second')));
    await Promise.resolve();
    release();
    await expect(first).rejects.toThrow('It failed.');
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('keeps what followers have seen, with what the step took so far', async () => {
    const kept: unknown[][] = [];
    const records: Partial<RunRecords> = {
      saveCheckpoint: (held, told, tokens) => {
        kept.push([held.attempt, told, tokens]);
        return Promise.resolve({ stop: false });
      },
    };
    const { one, stream, answer } = attempt({ records });
    stream.applyChange(() => answer.addPart({ kind: 'tool', call_id: 'c1', tool: 'order', input: {}, output: null, state: 'done' }));
    answer.beginStep();
    one.pending = 100;
    stream.writeText('text', 'Hello');
    await stream.sendRemaining();
    await one.saveCheckpoint();
    expect(kept).toEqual([[2, { parts: answer.parts, id: '7' }, { input: 100, output: 5 }]]);
  });

  it('counts at each checkpoint what was said since the one before', async () => {
    const outputs: number[] = [];
    const records: Partial<RunRecords> = {
      saveCheckpoint: (_held, _told, { output }) => {
        outputs.push(output);
        return Promise.resolve({ stop: false });
      },
    };
    const read: string[] = [];
    const { one, stream } = attempt({
      records,
      count: (text) => {
        read.push(text);
        return text.length;
      },
    });
    one.pending = 100;
    for (const text of ['One', ' two', ' three']) {
      stream.writeText('text', text);
      await stream.sendRemaining();
      await one.saveCheckpoint();
    }
    await one.saveAll();
    expect(outputs).toEqual([3, 7, 13, 13]);
    expect(read).toEqual(['One', ' two', ' three']);
  });

  it.each([
    ['somebody asked for it', () => Promise.resolve({ stop: true })],
    ['another worker has the run', () => Promise.reject(new Superseded())],
  ])('stops where %s', async (_, checkpoint) => {
    const { one } = attempt({ records: { saveCheckpoint: checkpoint } });
    await one.saveCheckpoint();
    expect([one.isStopped, one.signal.aborted, one.isShutDown]).toEqual([true, true, false]);
  });

  it('goes on where a checkpoint cannot be stored', async () => {
    const { one, shutdown } = attempt({ records: { saveCheckpoint: () => Promise.reject(new Error('PostgreSQL is away.')) } });
    await one.saveCheckpoint();
    expect(one.signal.aborted).toBe(false);
    shutdown.abort();
    expect([one.signal.aborted, one.isStopped]).toEqual([true, false]);
  });
});
