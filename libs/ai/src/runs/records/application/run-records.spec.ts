import type { ModelUsage } from '@atrium/models';
import type { Database } from '@atrium/platform/database';
import type { Metrics } from '@atrium/platform/observability';
import type { Memories } from '../../../memories/application/memories';
import type { MessagePart } from '../../../threads/domain/message-parts';
import { Run } from '../domain/run';
import type { RunSource } from '../domain/run-source';
import type { AnswersRepository } from '../infrastructure/answers.repository';
import type { RunsRepository } from '../infrastructure/runs.repository';
import type { RunStepsRepository, ToolCallRow } from '../infrastructure/run-steps.repository';
import type { LockRow, ThreadLocksRepository } from '../infrastructure/thread-locks.repository';
import type { RunCharges } from './run-charges';
import { RunRecords, Superseded, type CheckedCall, type Ending } from './run-records';
import type { RunNotifier } from './run-notifier';
import type { ThreadTitles } from './thread-titles';

const NOW = new Date('2026-01-01T00:00:00Z');
const source = (n: number, source_kind: string, source_id: string): RunSource => ({ n, source_kind, source_id }) as RunSource;
const text = (words: string): MessagePart => ({ kind: 'text', text: words });

interface Facts {
  readonly run?: Partial<Run>;
  /** Memories that are still there. */
  readonly there?: readonly string[];
  readonly calls?: readonly Partial<ToolCallRow>[];
  /** Another attempt has the run by now. */
  readonly isLost?: boolean;
}

/** The records of one run: what they write, in its order. */
function recordsOf({ run: facts = {}, there = [], calls = [], isLost = false }: Facts) {
  const written: unknown[][] = [];
  const write = (...entry: unknown[]): Promise<void> => Promise.resolve(void written.push(entry));
  const run = Object.assign(new Run(), {
    run_id: 'r1',
    run_thread: 't1',
    run_message: 'm1',
    run_user: 'ann',
    run_model: 'm',
    run_status: 'running',
    run_attempt: isLost ? 2 : 1,
    run_steps: 1,
    run_sources: [],
    run_options: {},
    run_hold: 'h1',
    run_tainted: null,
    run_checkpoint: '4',
    run_pending_tokens: 9,
    run_pending_output: 3,
    ...facts,
  });
  const after: (() => void)[] = [];
  const failures: string[] = [];
  const db = {
    write: (work: () => unknown) => work(),
    current: () => ({ afterCommit: (work: () => void) => void after.push(work) }),
  };
  const runs: Partial<RunsRepository> = {
    lock: () => Promise.resolve(run),
    save: () => write('run', run.run_status) as never,
    recordHeartbeat: (_, { attempt, ...sign }) => write('sign', sign).then(() => (attempt === run.run_attempt ? { stop: false } : null)),
    holdCredits: (_, hold_id) => write('hold', hold_id),
  };
  const steps: Partial<RunStepsRepository> = {
    listCalls: () => Promise.resolve(calls as ToolCallRow[]),
    addCalls: (_, step, rows) => write('calls', step, ...rows),
    beginCall: (_, call_id) => write('call begins', call_id).then(() => !isLost),
    endCall: (_, { call_id }) => write('call ends', call_id).then(() => !isLost),
    closeCalls: () => write('calls are closed'),
  };
  const answers: Partial<AnswersRepository> = {
    saveParts: (_, parts, status = 'generating') => write('answer', status, parts.length),
    markRecalls: (msg_id) => write('recalls', msg_id),
    saveEnd: (_, { status, finish, parts }) => write('answer ends', status, finish, parts),
  };
  const locks: Partial<ThreadLocksRepository> = {
    lockThread: () => write('thread').then(() => ({}) as LockRow),
    releaseThread: () => write('thread is free').then(() => ({ thread_id: 't1', thread_title: null }) as LockRow),
  };
  const memories: Partial<Memories> = {
    holdThose: (ids) => Promise.resolve(new Set(ids.filter((id) => there.includes(id)))),
    runEnds: (user) => write('memories are looked for', user),
  };
  const usage = { releaseHold: (hold: string) => write('credits are free', hold) } as Partial<ModelUsage>;
  const charges: Partial<RunCharges> = {
    chargeStep: (_, { step }, state, tools = 0) => write('step', step, state, tools).then(() => [`charge of ${step}`]),
    toUsageAnswer: (_, unfinished, isOpen) => Promise.resolve({ input_tokens: unfinished?.input_tokens ?? 0, isOpen }),
  };
  const notifier: Partial<RunNotifier> = {
    announceAnswer: (_, lock, changes) => write('done', lock.thread_title, changes),
    announceEnd: () => void written.push(['ended']),
  };
  const records = new RunRecords(
    db as unknown as Database,
    runs as RunsRepository,
    steps as RunStepsRepository,
    answers as AnswersRepository,
    locks as ThreadLocksRepository,
    memories as Memories,
    usage as ModelUsage,
    charges as RunCharges,
    notifier as RunNotifier,
    { giveTitle: () => Promise.resolve('The notice') } as Partial<ThreadTitles> as ThreadTitles,
    { now: () => NOW, after: () => NOW },
    { answersFailed: { inc: ({ code }: { code: string }) => void failures.push(code) } } as unknown as Metrics,
  );
  const commit = (): void => after.forEach((work) => work());
  return { run, written, records, held: { run, attempt: 1 }, commit, failures };
}

const TOLD = { parts: [text('Three months.')], id: '7' };
const call = (call_id: string, fault: string | null): CheckedCall => ({
  call_id,
  tool: 'probe',
  input: {},
  fault,
  isInvalid: fault !== null,
  waits_for: null,
  idempotent: true,
});

describe('a step of a run', () => {
  const beginning = { sent: TOLD, pending: { input: 40, output: 0 }, reserve: () => Promise.resolve({ hold_id: 'h2' }) };

  it('begins with what followers have seen, and the credits for it in place of those before', async () => {
    const { records, held, written } = recordsOf({});
    expect(await records.beginStep(held, beginning)).toEqual({ stop: false, hold_id: 'h2' });
    expect(written).toEqual([
      ['sign', { checkpoint: '7', pending_tokens: 40, pending_output: 0 }],
      ['answer', 'generating', 1],
      ['hold', 'h2'],
    ]);
  });

  it('sets no credits aside where another attempt has the run', async () => {
    const { records, held, written } = recordsOf({ isLost: true });
    await expect(records.beginStep(held, beginning)).rejects.toBeInstanceOf(Superseded);
    expect(written.map(([what]) => what)).toEqual(['sign']);
  });

  it('keeps no answer where the credits cannot be set aside: the unit of work fails with them', async () => {
    const { records, held, written } = recordsOf({});
    const fails = records.beginStep(held, { ...beginning, reserve: () => Promise.reject(new Error('No credits.')) });
    await expect(fails).rejects.toThrow('No credits.');
    expect(written.map(([what]) => what)).not.toContain('hold');
  });

  it('is charged with the calls that are made of it, kept with all that it asked for, and pends no more', async () => {
    const { records, held, written, run } = recordsOf({});
    const step = { step: 2, parts: [], finish: 'stop' as const, correction: null, usage: {} as never };
    await records.recordStep(held, step, [call('a', null), call('b', 'There is no tool.')], TOLD);
    expect(written).toMatchObject([
      ['step', 2, 'done', 1],
      ['calls', 2, { call_id: 'a', state: 'pending' }, { call_id: 'b', state: 'error', error: 'There is no tool.' }],
      ['answer', 'generating', 1],
      ['run', 'running'],
    ]);
    expect(run).toMatchObject({ run_steps: 2, run_pending_tokens: 0, run_pending_output: 0, run_kept_parts: 1, run_checkpoint: '7' });
  });
});

describe('a checkpoint', () => {
  it('keeps what followers have seen, with what the step has taken so far', async () => {
    const { records, held, written } = recordsOf({});
    expect(await records.saveCheckpoint(held, TOLD, { input: 40, output: 2 })).toEqual({ stop: false });
    expect(written).toEqual([
      ['sign', { checkpoint: '7', pending_tokens: 42, pending_output: 2 }],
      ['answer', 'generating', 1],
    ]);
  });

  it('of a run without a message is a sign of life', async () => {
    const { records, held, written } = recordsOf({ run: { run_message: null } });
    await records.saveCheckpoint(held, TOLD, { input: 40, output: 2 });
    expect(written.map(([what]) => what)).toEqual(['sign']);
  });
});

describe('an attempt that has lost its run', () => {
  // What it may still do: say that it is alive, begin or end a call, which the rows refuse, and lock the thread.
  it.each<[string, readonly string[], (of: ReturnType<typeof recordsOf>) => Promise<unknown>]>([
    ['keeps what followers see', ['sign'], ({ records, held }) => records.saveCheckpoint(held, TOLD, { input: 0, output: 0 })],
    ['commits a step', [], ({ records, held }) => records.recordStep(held, {} as never, [], TOLD)],
    ['begins a call', ['call begins'], ({ records, held }) => records.recordCallStart(held, 'c1')],
    ['ends a call', ['call ends'], ({ records, held }) => records.callEnds(held, { call_id: 'c1' } as never, { sources: [], taint: null })],
    ['waits', [], ({ records, held }) => records.recordWait(held, TOLD)],
    ['hands it back', [], ({ records, held }) => records.requeueRun(held)],
    ['ends it', ['thread'], ({ records, held }) => records.recordEnd(held, {} as never, null)],
  ])('writes nothing any more: it %s', async (_, asked, writes) => {
    const lost = recordsOf({ isLost: true });
    await expect(writes(lost)).rejects.toBeInstanceOf(Superseded);
    expect(lost.written.map(([what]) => what)).toEqual(asked);
  });
});

describe('a run that stops working', () => {
  it('waits with its message, which says so', async () => {
    const { records, held, written, run } = recordsOf({});
    await records.recordWait(held, TOLD);
    expect(written).toEqual([
      ['answer', 'waiting', 1],
      ['run', 'waiting'],
    ]);
    expect(run.run_alive).toEqual(NOW);
  });

  it('is in the queue again where its worker hands it back', async () => {
    const { records, held, run } = recordsOf({});
    await records.requeueRun(held);
    expect(run.run_status).toBe('queued');
  });
});

describe('what was found for a run', () => {
  const FOUND = [source(1, 'memory', 'kept'), source(2, 'memory', 'gone'), source(3, 'file', 'gone')];
  const recalled = (written: readonly unknown[][]): unknown[] => written.filter(([what]) => what === 'recalls');

  it('is kept without memories that were deleted since, which are named to the run', async () => {
    const { records, run, written, held } = recordsOf({ there: ['kept'] });
    expect(await records.recordSources(held, FOUND, { taint: null, recalls: false })).toEqual([FOUND[1]]);
    expect(run.run_sources).toEqual([FOUND[0], FOUND[2]]);
    expect(recalled(written)).toEqual([['recalls', 'm1']]);
  });

  it('says nothing of memories where all of them are gone, unless the conversation does', async () => {
    for (const recalls of [false, true]) {
      const { records, written, held } = recordsOf({});
      await records.recordSources(held, FOUND, { taint: null, recalls });
      expect(recalled(written)).toHaveLength(recalls ? 1 : 0);
    }
  });

  it('taints the run for the first reason that there is', async () => {
    const { records, run, held } = recordsOf({});
    await records.recordSources(held, FOUND, { taint: 'a document', recalls: false });
    await records.recordSources(held, FOUND, { taint: 'a page', recalls: false });
    expect(run.run_tainted).toBe('a document');
  });
});

describe('the end of a run', () => {
  const ENDING: Ending = { status: 'completed', finish: 'stop', parts: [text('Three months.')] };

  it('is written after its thread is locked: the run, its calls, its answer, its thread, and at last its credits are free', async () => {
    const { records, held, written, run } = recordsOf({});
    await records.recordEnd(held, ENDING, '9');
    expect(written).toEqual([
      ['thread'],
      ['run', 'completed'],
      ['calls are closed'],
      ['answer ends', 'complete', 'stop', [text('Three months.')]],
      ['thread is free'],
      ['done', 'The notice', []],
      ['memories are looked for', 'ann'],
      ['credits are free', 'h1'],
    ]);
    expect(run).toMatchObject({ run_checkpoint: '9', run_finished: NOW, run_pending_tokens: 0 });
  });

  it('charges the step that did not end, if it took something', async () => {
    const { records, held, written, run } = recordsOf({});
    await records.recordEnd(held, { ...ENDING, status: 'stopped', finish: 'stopped', unfinished: { input_tokens: 5 } as never }, null);
    expect(written[1]).toEqual(['step', 2, 'stopped', 0]);
    expect(run.run_usage).toEqual({ input_tokens: 5, isOpen: true });
    expect(run.run_checkpoint).toBe('4');
  });

  it('without its worker sends followers what is stored: what was said since is known to nobody', async () => {
    const { records, run, written } = recordsOf({});
    await records.settleRun(run, { ...ENDING, status: 'stopped', finish: 'stopped' });
    const [, , changes] = written.find(([what]) => what === 'done') ?? [];
    expect(changes).toEqual([{ op: 'reset', parts: ENDING.parts, reason: 'worker_lost' }]);
  });

  it('closes calls that are open in its message as their rows say', async () => {
    const part = { kind: 'tool' as const, call_id: 'c1', tool: 'probe', input: {}, output: null, state: 'running' as const };
    const { records, held, written } = recordsOf({ calls: [{ call_id: 'c1', state: 'done', shown: 1, error: null }] });
    await records.recordEnd(held, { ...ENDING, parts: [part] }, null);
    expect(written.find(([what]) => what === 'answer ends')?.[3]).toMatchObject([{ call_id: 'c1', state: 'done', output: 1 }]);
  });

  it('of a run without a thread is its output, and frees no thread', async () => {
    const { records, held, written, run } = recordsOf({ run: { run_thread: null, run_message: null } });
    await records.recordEnd(held, { ...ENDING, parts: [], data: { months: 3 } }, null);
    expect(run.run_output).toEqual({ output: '{"months":3}', data: { months: 3 }, citations: [], finish: 'stop' });
    expect(written.map(([what]) => what)).toEqual(['run', 'calls are closed', 'ended', 'credits are free']);
  });

  it('counts as a failure by its code, once it is committed', async () => {
    const { records, held, commit, failures } = recordsOf({});
    await records.recordEnd(held, { ...ENDING, status: 'failed', finish: 'error', error: { code: 'upstream_failed' } }, null);
    expect(failures).toEqual([]);
    commit();
    expect(failures).toEqual(['upstream_failed']);
  });
});
