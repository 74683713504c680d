import type { Settings } from '@atrium/platform/config';
import { runAsJob, SYSTEM_ACTOR, type Database } from '@atrium/platform/database';
import { MINUTE, newId } from '@atrium/platform/kernel';
import type { EventStreams, Outbox } from '@atrium/platform/messaging';
import type { RunCharges } from '../../records/application/run-charges';
import type { RunRecords } from '../../records/application/run-records';
import type { RunNotifier } from '../../records/application/run-notifier';
import { Run } from '../../records/domain/run';
import type { AnswersRepository } from '../../records/infrastructure/answers.repository';
import type { RunsRepository } from '../../records/infrastructure/runs.repository';
import type { RunStepsRepository, StepRow } from '../../records/infrastructure/run-steps.repository';
import type { LockRow, ThreadLocksRepository } from '../../records/infrastructure/thread-locks.repository';
import { RunClaims } from './run-claims';

const NOW = new Date('2026-01-01T12:00:00Z');

interface Facts {
  readonly run?: Partial<Run> | null;
  readonly atWork?: { readonly ofUser: number; readonly ofWorkspace: number };
  readonly steps?: readonly Partial<StepRow>[];
  /** Events of the thread since the checkpoint. */
  readonly events?: readonly object[];
  readonly threadIsDeleted?: boolean;
}

/** The claims of one run in a workspace of at most eight at once. */
function claimsOf({ run: facts = {}, atWork = { ofUser: 0, ofWorkspace: 0 }, steps = [], events = [], threadIsDeleted = false }: Facts) {
  const run = Object.assign(new Run(), {
    run_id: 'r1',
    run_thread: 't1',
    run_message: 'm1',
    run_user: 'ann',
    run_status: 'queued',
    run_attempt: 0,
    run_losses: 0,
    run_started: null,
    run_due: null,
    run_alive: NOW,
    run_checkpoint: '4',
    ...facts,
  });
  const done: string[] = [];
  const jobs: object[] = [];
  const runs: Partial<RunsRepository> = {
    lockMany: () => {
      done.push('run');
      return Promise.resolve(facts === null ? [] : [run]);
    },
    countRunsAtWork: () => Promise.resolve(atWork),
    save: () => Promise.resolve(void done.push('run is saved')) as never,
  };
  const rows: Partial<RunStepsRepository> = {
    listSteps: () => Promise.resolve(steps as StepRow[]),
    findCarried: () => Promise.resolve(new Map([[1, { thought: 'signed' } as never]])),
    listCalls: () => Promise.resolve([]),
  };
  const locks: Partial<ThreadLocksRepository> = {
    holdOf: () => Promise.resolve(void done.push('thread')),
    lockThread: () => Promise.resolve({ thread_active: !threadIsDeleted } as LockRow),
  };
  const records: Partial<RunRecords> = {
    settleRun: (_, { status, error }) => Promise.resolve(void done.push(`${status}: ${JSON.stringify(error?.detail)}`)),
  };
  const notifier: Partial<RunNotifier> = {
    viewMessage: () => Promise.resolve({ msg_id: 'm1' } as never),
    announceAnswer: () => Promise.resolve(void done.push('its end is reported')),
  };
  const streams = { readEvents: () => Promise.resolve({ events: events.map((data, at) => ({ id: String(at), event: { data } })) }) };
  const claims = new RunClaims(
    { write: (work: () => unknown) => work() } as unknown as Database,
    runs as RunsRepository,
    rows as RunStepsRepository,
    { readParts: () => Promise.resolve([{ kind: 'text', text: 'Three' }]) } as Partial<AnswersRepository> as AnswersRepository,
    locks as ThreadLocksRepository,
    records as RunRecords,
    { chargeLost: (_: Run, attempt: number) => void done.push(`lost ${attempt}`) } as Partial<RunCharges> as RunCharges,
    notifier as RunNotifier,
    streams as unknown as EventStreams,
    { addJob: (added: object) => void jobs.push(added) } as unknown as Outbox,
    { AI_TENANT_CONCURRENCY: 8 } as Settings,
    { now: () => NOW, after: () => NOW },
  );
  const claim = () => runAsJob({ tenant_id: newId(), actor: SYSTEM_ACTOR, request_id: 'q' }, () => claims.claimRun('r1'));
  return { run, done, jobs, claim };
}

describe('a run that is claimed', () => {
  it('begins with its first attempt and nothing of it, its thread locked before it', async () => {
    const { claim, done, run } = claimsOf({});
    expect(await claim()).toEqual({ run, attempt: 1, steps: [], calls: [], parts: [], wasLost: false, shown: { msg_id: 'm1' } });
    expect([run.run_status, done]).toEqual(['running', ['thread', 'run', 'run is saved']]);
  });

  it('begins while its person and its workspace have less than their most at work', async () => {
    const { claim, jobs } = claimsOf({ atWork: { ofUser: 4, ofWorkspace: 7 } });
    expect(await claim()).toMatchObject({ attempt: 1 });
    expect(jobs).toEqual([]);
  });

  it('goes on with what is committed of it where its worker was lost, and what that one took is shown', async () => {
    const steps = [
      { step: 1, state: 'done' as const },
      { step: 2, state: 'stopped' as const },
    ];
    const { claim, done } = claimsOf({ run: { run_status: 'running', run_attempt: 1 }, steps });
    expect(await claim()).toMatchObject({
      attempt: 2,
      wasLost: true,
      steps: [{ step: 1, carried: { thought: 'signed' } }],
      parts: [{ text: 'Three' }],
    });
    expect(done).toContain('lost 1');
  });

  it('has lost no worker where one handed it back', async () => {
    const { claim, run } = claimsOf({ run: { run_attempt: 1, run_losses: 2 } });
    expect(await claim()).toMatchObject({ attempt: 2, wasLost: false });
    expect(run.run_losses).toBe(2);
  });

  it('has failed with its third lost worker', async () => {
    const { claim, done, run } = claimsOf({ run: { run_status: 'running', run_attempt: 3, run_losses: 2 } });
    expect(await claim()).toBeNull();
    expect(done.slice(2)).toEqual(['lost 3', 'failed: "The answer was interrupted three times. Ask again, or regenerate it."']);
    expect(run.run_attempt).toBe(4);
  });
});

describe('a run that is not claimed', () => {
  it.each([
    ['its person has five at work', { ofUser: 5, ofWorkspace: 5 }],
    ['its workspace has all that it may have at once', { ofUser: 0, ofWorkspace: 8 }],
  ])('is looked at again in a second where %s', async (_, atWork) => {
    const { claim, jobs, done, run } = claimsOf({ atWork });
    expect(await claim()).toBeNull();
    expect(jobs).toMatchObject([{ delayMs: 1_000 }]);
    expect([run.run_status, run.run_attempt, done]).toEqual(['queued', 0, ['thread', 'run']]);
  });

  it('gives a sign of life once a minute while it waits for room', async () => {
    const old = new Date(NOW.getTime() - MINUTE - 1);
    const { claim, done, run } = claimsOf({ atWork: { ofUser: 5, ofWorkspace: 5 }, run: { run_alive: old } });
    await claim();
    expect([run.run_alive, done.at(-1)]).toEqual([NOW, 'run is saved']);
  });

  it('takes room from nobody where it runs already: its worker was lost', async () => {
    const { claim } = claimsOf({ run: { run_status: 'running', run_attempt: 1 }, atWork: { ofUser: 5, ofWorkspace: 8 } });
    expect(await claim()).toMatchObject({ attempt: 2 });
  });

  it('waits for somebody, or is gone', async () => {
    for (const run of [{ run_status: 'waiting' as const }, null]) {
      const { claim, done, jobs } = claimsOf({ run });
      expect([await claim(), done, jobs]).toEqual([null, ['thread', 'run'], []]);
    }
  });

  it('has ended, which is reported once', async () => {
    const over = { run_status: 'completed' as const };
    const untold = claimsOf({ run: over, events: [{ op: 'done', msg_id: 'm2' }, { op: 'delta' }] });
    expect(await untold.claim()).toBeNull();
    expect(untold.done.at(-1)).toBe('its end is reported');
    const told = claimsOf({ run: over, events: [{ op: 'delta' }, { op: 'done', msg_id: 'm1' }] });
    expect(await told.claim()).toBeNull();
    expect(told.done).toEqual(['thread', 'run']);
  });

  it('has ended in a thread that was deleted, where nobody hears of it', async () => {
    const { claim, done } = claimsOf({ run: { run_status: 'completed' }, threadIsDeleted: true });
    expect([await claim(), done]).toEqual([null, ['thread', 'run']]);
  });
});
