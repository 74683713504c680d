import { Logger } from '@nestjs/common';
import { type RequesterDirectory, PermissionSet, type Principal } from '@atrium/platform/access';
import { TrackedRow, type Database } from '@atrium/platform/database';
import { notFound, Outage, Problem, type Clock, type DomainEvent } from '@atrium/platform/kernel';
import type { Metrics } from '@atrium/platform/observability';
import { PermanentFailure, type JobRun } from '../job-handling';
import type { Outbox } from '../outbox';
import { TrackedRuns } from './tracked-runs';
import { WorkEnded, type TrackedRepository } from './tracked.repository';
import { WorkEngine } from './work-engine';

class Work extends TrackedRow {}

const NOW = new Date('2026-11-24T00:00:00Z');

/** One row as it is stored, and all that its kind needs, without a database. */
function kindOf(stored: Work | null, { rights = ['object:edit'] }: { readonly rights?: readonly string[] | 'gone' | 'away' } = {}) {
  const events: DomainEvent[] = [];
  const interrupted: string[] = [];
  const failures: string[] = [];
  const resolved: unknown[] = [];
  const askers: RequesterDirectory = {
    resolvePrincipal: (requester) => {
      resolved.push(requester);
      if (rights === 'gone') return Promise.reject(new Problem('tenant_forbidden', 'No member.'));
      if (rights === 'away') return Promise.reject(new Outage('database', 'Away.'));
      return Promise.resolve({ permissions: PermissionSet.of(rights), modules: new Set() } as unknown as Principal);
    },
  };
  const engine = new WorkEngine(
    { write: (work: () => unknown) => work(), read: (work: () => unknown) => work() } as unknown as Database,
    {
      emitEvent: (event: DomainEvent) => void events.push(event),
      interruptWork: (key: string) => void interrupted.push(key),
    } as unknown as Outbox,
    { now: () => NOW } as Clock,
    askers,
    { workFailed: { inc: ({ work }: { work: string }) => void failures.push(work) } } as unknown as Metrics,
  );
  const rows = {
    lock: () => (stored ? Promise.resolve(Object.assign(new Work(), stored)) : Promise.reject(notFound('job'))),
    save: (row: Work) => Promise.resolve(void Object.assign(stored as Work, row)),
    isRunning: ({ job_attempt }: Work) => Promise.resolve(stored?.status === 'running' && stored.job_attempt === job_attempt),
  } as unknown as TrackedRepository<Work>;
  class Runs extends TrackedRuns<Work> {
    constructor() {
      super(engine, rows);
    }
    protected labelOf(): string {
      return 'test';
    }
    protected eventsOf({ job_id, status }: Work): readonly DomainEvent[] {
      return [{ name: 'work.ended', subject_id: job_id, payload: { status } }];
    }
  }
  return { runs: new Runs(), engine, rows, events, interrupted, failures, resolved };
}

const queued = (changes: Partial<Work> = {}): Work =>
  Object.assign(new Work(), {
    job_id: 'j',
    status: 'queued',
    done: 0,
    failed: 0,
    error: null,
    job_attempt: 0,
    job_started: null,
    job_finished: null,
    ...changes,
  });

const LOST = new Error('Another worker has the job.');
const run = (over: Partial<JobRun> = {}): JobRun =>
  ({ heartbeat: () => Promise.resolve(), givesUpOn: () => Promise.resolve(false), ...over }) as JobRun;

describe('a run of tracked work', () => {
  it('begins the row, does the work and ends the row with an event', async () => {
    const row = queued();
    const { runs, events, failures } = kindOf(row);
    await runs.runWork('j', run(), (begun) => {
      expect([row.status, begun.job_attempt]).toEqual(['running', 1]);
      return Promise.resolve({ status: 'completed' });
    });
    expect(row).toMatchObject({ status: 'completed', job_started: NOW, job_finished: NOW });
    expect(events).toEqual([{ name: 'work.ended', subject_id: 'j', payload: { status: 'completed' } }]);
    expect(failures).toEqual([]);
  });

  it('reads what was asked for once it has begun, and not to write it again', async () => {
    const { runs, rows } = kindOf(queued());
    const calls: string[] = [];
    const { lock, save } = rows;
    Object.assign(rows, {
      lock: (job_id: string) => (calls.push('lock'), lock(job_id)),
      save: (row: Work) => (calls.push('save'), save(row)),
      readOrder: (row: Work) => (calls.push('order'), Promise.resolve(void Object.assign(row, { order: 'pack' }))),
    });
    await runs.runWork('j', run(), (begun) => {
      expect(begun).toMatchObject({ order: 'pack' });
      return Promise.resolve({ status: 'completed' });
    });
    expect(calls).toEqual(['lock', 'save', 'order', 'lock', 'save']);
  });

  it.each([queued({ status: 'cancelled' }), null])('does nothing where the work has ended or is gone', async (row) => {
    const { runs, events } = kindOf(row);
    const work = jest.fn();
    await runs.runWork('j', run(), work);
    expect([work.mock.calls, events]).toEqual([[], []]);
  });

  it('ends nothing where another worker has followed, and is not taken for done', async () => {
    const row = queued();
    const { runs, events } = kindOf(row);
    const followed = runs.runWork('j', run({ heartbeat: () => Promise.reject(LOST) }), () => {
      row.job_attempt += 1;
      return Promise.resolve({ status: 'completed' });
    });
    await expect(followed).rejects.toBe(LOST);
    expect([row.status, events]).toEqual(['running', []]);
  });

  it('is over quietly where the work was cancelled', async () => {
    const row = queued();
    const { runs, events } = kindOf(row);
    await runs.runWork('j', run(), () => Promise.reject(new WorkEnded()));
    expect(events).toEqual([]);
  });

  it.each([
    ['a failure for good', new PermanentFailure('The file is empty.'), 'The file is empty.'],
    ['a refusal', new Problem('not_found', 'The base was deleted.'), 'The base was deleted.'],
  ])('fails with the reason of %s', async (_, error, reason) => {
    const row = queued();
    const { runs, failures } = kindOf(row);
    await runs.runWork('j', run(), () => Promise.reject(error));
    expect([row.status, row.error, failures]).toEqual(['failed', reason, ['test']]);
  });

  it.each([new Error('A bug.'), new Outage('storage', 'Away.'), new Problem('internal_error', 'Secret.')])(
    'leaves a fault that may pass to the queue: %s',
    async (error) => {
      const row = queued();
      const { runs } = kindOf(row);
      await expect(runs.runWork('j', run(), () => Promise.reject(error))).rejects.toBe(error);
      expect(row.status).toBe('running');
    },
  );

  it.each([
    ['is logged where people read another sentence', new Error('A bug.'), 1],
    ['is not logged where it is what people read', new Problem('not_found', 'The base was deleted.'), 0],
  ])('ends with a reason that %s', async (_, error, logged) => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await kindOf(queued()).runs.runWork('j', run({ givesUpOn: () => Promise.resolve(true) }), () => Promise.reject(error));
    const { calls } = log.mock;
    log.mockRestore();
    expect(calls).toEqual(logged === 1 ? [[expect.objectContaining({ work: 'test', job_id: 'j', err: error })]] : []);
  });

  it('says nothing of the service when the queue gives a fault up', async () => {
    const row = queued();
    const { runs } = kindOf(row);
    await runs.runWork('j', run({ givesUpOn: () => Promise.resolve(true) }), () =>
      Promise.reject(new Problem('internal_error', 'Secret.')),
    );
    expect([row.status, row.error]).toEqual(['failed', 'The work could not be finished. Start it again.']);
  });
});

describe('tracked work that the queue has given up', () => {
  it.each([0, 3])('fails with the reason after %i runs', async (job_attempt) => {
    const row = queued({ job_attempt, status: job_attempt === 0 ? 'queued' : 'running' });
    const { runs, events } = kindOf(row);
    await runs.giveUp('j', 'Its workers were lost.');
    expect([row.status, row.error, events.length]).toEqual(['failed', 'Its workers were lost.', 1]);
    expect(row.job_started).toBeNull();
  });

  it('is left alone where it has ended', async () => {
    const row = queued({ status: 'completed' });
    const { runs, events } = kindOf(row);
    await runs.giveUp('j', 'Its workers were lost.');
    expect([row.status, events]).toEqual(['completed', []]);
  });
});

describe('tracked work that is cancelled', () => {
  it('ends with an event, and its worker is interrupted', async () => {
    const row = queued({ status: 'running', job_attempt: 1 });
    const { runs, events, interrupted } = kindOf(row);
    await runs.cancelWork('j');
    expect([row.status, events.length, interrupted]).toEqual(['cancelled', 1, ['j']]);
  });

  it('ends a run at its next checkpoint', async () => {
    const row = queued({ status: 'running', job_attempt: 2 });
    const { runs } = kindOf(row);
    await expect(runs.assertRunning({ job_id: 'j', job_attempt: 2 })).resolves.toBeUndefined();
    await expect(runs.assertRunning({ job_id: 'j', job_attempt: 1 })).rejects.toThrow(WorkEnded);
    row.status = 'cancelled';
    await expect(runs.assertRunning({ job_id: 'j', job_attempt: 2 })).rejects.toThrow(WorkEnded);
  });
});

describe('who asked for tracked work', () => {
  const ASKED = { job_created_by: 'ann', job_key: null };
  const rights = { permission: 'object:edit' } as const;

  it.each([null, 'key'])('has the rights of the moment, those of the key where one asked: %s', async (job_key) => {
    const { runs, resolved } = kindOf(queued());
    await expect(runs.findAsker({ ...ASKED, job_key }, rights)).resolves.toMatchObject({ permissions: expect.anything() as unknown });
    expect(resolved).toEqual([{ user_id: 'ann', key_id: job_key }]);
  });

  it.each([
    ['nobody', { ...ASKED, job_created_by: null }, undefined],
    ['a member who is gone', ASKED, 'gone' as const],
  ])('stops the work for good where it is %s', async (_, asked, gone) => {
    const { runs } = kindOf(queued(), gone ? { rights: gone } : {});
    await expect(runs.findAsker(asked, rights)).rejects.toThrow(PermanentFailure);
  });

  it('stops the work where the right was taken away, or the module', async () => {
    await expect(kindOf(queued(), { rights: [] }).runs.findAsker(ASKED, rights)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(kindOf(queued()).runs.findAsker(ASKED, { ...rights, module: 'module-objects' })).rejects.toThrow(
      'The workspace is no longer licensed for module-objects.',
    );
  });

  it('is asked again where the question could not be answered', async () => {
    await expect(kindOf(queued(), { rights: 'away' }).runs.findAsker(ASKED, rights)).rejects.toBeInstanceOf(Outage);
  });
});
