import { runAsJob, SYSTEM_ACTOR, type Database } from '@atrium/platform/database';
import type { Signals } from '@atrium/platform/messaging';
import type { Principal } from '@atrium/platform/access';
import { newId, Problem } from '@atrium/platform/kernel';
import type { MessageReader } from '../../../threads/application/message-reader';
import type { ThreadAccess } from '../../../threads/application/thread-access';
import { ThreadEnds } from '../../../threads/application/thread-ends';
import { Run } from '../domain/run';
import type { AnswersRepository } from '../infrastructure/answers.repository';
import type { RunsRepository } from '../infrastructure/runs.repository';
import type { LockRow, ThreadLocksRepository } from '../infrastructure/thread-locks.repository';
import type { RunCharges } from './run-charges';
import type { RunRecords } from './run-records';
import { RunStops } from './run-stops';

/** Signals go to those of the workspace. */
const inWork = <T>(work: () => Promise<T>): Promise<T> => runAsJob({ tenant_id: newId(), actor: SYSTEM_ACTOR, request_id: 'q' }, work);

const ANN = { user_id: 'ann' } as Principal;

/** The stops of one run, on a clock that every look at the run moves on by a second; a worker that hears of a stop does as the test says. */
function stopsOf(facts: Partial<Run>, hear: (run: Run) => void = () => undefined) {
  const run = Object.assign(new Run(), {
    run_id: 'r1',
    run_thread: 't1',
    run_message: 'm1',
    run_status: 'running',
    run_attempt: 1,
    run_pending_tokens: 0,
    run_pending_output: 0,
    run_stop_requested: false,
    ...facts,
  });
  const done: string[] = [];
  const endings: object[] = [];
  let [now, heard] = [0, (_: { ended?: boolean }): void => undefined];
  const runs: Partial<RunsRepository> = {
    findRow: (id) => Promise.resolve(id === run.run_id ? run : null),
    lock: () => {
      done.push('run');
      return Promise.resolve(run);
    },
    save: () => Promise.resolve(void done.push('run is saved')) as never,
    findRunRow: () => Promise.resolve({ run_id: 'r1', run_status: run.run_status } as never),
  };
  const records: Partial<RunRecords> = {
    settleRun: (_, { status, finish, error = null, unfinished }) => {
      run.run_status = status;
      endings.push({ status, finish, error, unfinished });
      return Promise.resolve();
    },
  };
  const signals = {
    subscribe: (_: string, listen: typeof heard) => {
      heard = listen;
      return Promise.resolve(() => Promise.resolve(void done.push('nobody listens')));
    },
    publish: () => {
      done.push('the worker hears of it');
      hear(run);
      heard({ ended: run.isOver });
      return Promise.resolve();
    },
  };
  const ends = new ThreadEnds();
  const committed: (() => unknown)[] = [];
  const stops = new RunStops(
    {
      read: (work: () => unknown) => work(),
      write: (work: () => unknown) => work(),
      current: () => ({ afterCommit: (work: () => unknown) => void committed.push(work) }),
    } as unknown as Database,
    { requireThread: () => Promise.resolve({ thread_run: 'r1' }) } as unknown as ThreadAccess,
    { requireMessage: () => Promise.resolve({}), viewMessages: () => Promise.resolve([{ msg_id: 'm1' }]) } as unknown as MessageReader,
    ends,
    runs as RunsRepository,
    {
      lockThread: () => Promise.resolve(done.push('thread') > 0 ? ({} as LockRow) : undefined),
    } as Partial<ThreadLocksRepository> as ThreadLocksRepository,
    { readParts: () => Promise.resolve([]) } as Partial<AnswersRepository> as AnswersRepository,
    records as RunRecords,
    { chargeLost: (_: Run, attempt: number) => void done.push(`lost ${attempt}`) } as Partial<RunCharges> as RunCharges,
    signals as unknown as Signals,
    { now: () => new Date((now += 1_000)), after: () => new Date(now) },
  );
  stops.onModuleInit();
  return { stops, ends, run, done, endings, committed, elapsed: () => now };
}

// Time passes on the clock alone.
beforeEach(() => {
  const passed = (wake: () => void) => {
    wake();
    return { unref: () => undefined };
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(passed as never);
});
afterEach(() => jest.restoreAllMocks());

describe('a run that is stopped', () => {
  it('is ended by the worker that has it, which hears of it at once', async () => {
    const { stops, done, endings, run } = stopsOf({}, (one) => void (one.run_status = 'stopped'));
    await inWork(() => stops.endRun('r1'));
    expect(run.run_stop_requested).toBe(true);
    expect([endings, done]).toEqual([[], ['thread', 'run', 'run is saved', 'the worker hears of it', 'nobody listens']]);
  });

  it('is taken away from a worker that does not answer in three seconds', async () => {
    const { stops, endings, run, elapsed } = stopsOf({});
    await inWork(() => stops.endRun('r1'));
    expect(run.run_attempt).toBe(2);
    // Each look takes a second of this clock.
    expect(elapsed()).toBeGreaterThanOrEqual(3_000);
    expect(elapsed()).toBeLessThanOrEqual(5_000);
    expect(endings).toMatchObject([{ status: 'stopped', finish: 'stopped', error: null }]);
  });

  it.each(['queued', 'waiting'] as const)('is over at once where it is %s: nobody works on it', async (run_status) => {
    const { stops, endings, done, run } = stopsOf({ run_status });
    await inWork(() => stops.endRun('r1'));
    expect(endings).toMatchObject([{ status: 'stopped' }]);
    expect([run.run_attempt, done]).toEqual([1, ['thread', 'run', 'nobody listens']]);
  });

  it('stays as it ended where it is over', async () => {
    const { stops, endings, run } = stopsOf({ run_status: 'completed' });
    await inWork(() => stops.endRun('r1'));
    expect([endings, run.run_stop_requested]).toEqual([[], false]);
  });

  it('is charged what it had taken where its worker did not say', async () => {
    const { stops, endings } = stopsOf({ run_pending_tokens: 50, run_pending_output: 20 });
    await inWork(() => stops.endRun('r1'));
    expect(endings).toMatchObject([{ unfinished: { input_tokens: 30, output_tokens: 20, estimated: true } }]);
  });

  it('must be one of the thread that is named', async () => {
    const { stops } = stopsOf({ run_thread: 't2' });
    await expect(inWork(() => stops.stopRun(ANN, 't1', 'r1'))).rejects.toBeInstanceOf(Problem);
  });

  it('is returned with what is kept of its answer', async () => {
    const { stops } = stopsOf({ run_status: 'queued' });
    expect(await inWork(() => stops.stopRun(ANN, 't1'))).toEqual({
      run: { run_id: 'r1', run_status: 'stopped' },
      assistant_message: { msg_id: 'm1' },
    });
  });
});

describe('a run whose thread is deleted', () => {
  it('ends within the same unit of work, and its worker hears of it after the commit', async () => {
    const { ends, endings, run, done, committed } = stopsOf({});
    await inWork(() => ends.notifyEnded({ thread_run: 'r1' } as never));
    expect([endings, run.run_attempt]).toMatchObject([[{ status: 'stopped' }], 2]);
    expect(done).not.toContain('the worker hears of it');
    for (const work of committed) await inWork(() => Promise.resolve(work()));
    expect(done).toContain('the worker hears of it');
  });
});

describe('a run that nobody works on any more', () => {
  const GONE = { code: 'gone', detail: 'Nobody answered.' };

  it('has failed for the reason that it has once it is locked, and what its worker took is shown', async () => {
    const { stops, endings, done, run } = stopsOf({});
    await inWork(() => stops.expireRun('r1', () => GONE));
    expect(endings).toMatchObject([{ status: 'failed', finish: 'error', error: GONE }]);
    expect([done, run.run_attempt]).toEqual([['thread', 'run', 'lost 1'], 2]);
  });

  it('goes on where it has none by then', async () => {
    const { stops, endings, run } = stopsOf({});
    await inWork(() => stops.expireRun('r1', () => null));
    expect([endings, run.run_attempt]).toEqual([[], 1]);
  });
});

describe('the wait for a run', () => {
  it('is over when it ended, or needs somebody', async () => {
    for (const run_status of ['completed', 'waiting'] as const)
      expect(await inWork(() => stopsOf({ run_status }).stops.awaitEnd('r1', 5_000))).toBe(true);
  });

  it('is given up when the time is over', async () => {
    const { stops, done } = stopsOf({});
    expect(await inWork(() => stops.awaitEnd('r1', 2_000))).toBe(false);
    expect(done).toEqual(['nobody listens']);
  });
});
