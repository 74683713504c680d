import type { Database } from '@atrium/platform/database';
import { notFound, type Clock } from '@atrium/platform/kernel';
import { BackgroundJobs } from './background-jobs';
import type { Outbox } from './outbox';
import { BackgroundJob } from './tracked/background-job';
import type { BackgroundJobRows } from './tracked/background-job.rows';
import type { JobDirectory } from './tracked/job-directory';
import type { LostWork } from './tracked/lost-work';
import { WorkEngine } from './tracked/work-engine';
import { WorkEnded } from './tracked/tracked.repository';

const NOW = new Date('2026-11-30T08:00:00Z');

/** One job as it is stored, and how lost ones end. */
function jobsOf(changes: Partial<BackgroundJob> = {}) {
  const stored = Object.assign(
    new BackgroundJob(),
    { job_id: 'j', job_kind: 'shop.pack', status: 'queued', done: 0, failed: 0, error: null, result: null, job_started: null },
    { job_finished: null, ...changes },
  );
  const lost = new Map<string, (job_id: string, reason: string) => Promise<void>>();
  const unit = (work: () => unknown): unknown => work();
  const rows = {
    lock: (job_id: string) =>
      job_id === 'j' ? Promise.resolve(Object.assign(new BackgroundJob(), stored)) : Promise.reject(notFound('job')),
    save: (row: BackgroundJob) => Promise.resolve(void Object.assign(stored, row)),
    addDone: (_: string, by: number) => Promise.resolve(stored.isFinished ? undefined : (stored.done += by)),
  } as unknown as BackgroundJobRows;
  const engine = new WorkEngine({ write: unit, read: unit } as unknown as Database, {} as Outbox, { now: () => NOW } as Clock);
  const jobs = new BackgroundJobs(
    engine,
    rows,
    { register: () => undefined } as unknown as JobDirectory,
    {
      register: (table: string, end: (job_id: string, reason: string) => Promise<void>) => void lost.set(table, end),
    } as unknown as LostWork,
  );
  return { stored, jobs, lost };
}

describe('a background job', () => {
  it('begins with a run, goes on with the next one, and does not begin where it has ended or is gone', async () => {
    const { stored, jobs } = jobsOf();
    expect([await jobs.beginJob('j'), await jobs.beginJob('j')]).toEqual([true, true]);
    expect(stored).toMatchObject({ status: 'running', job_started: NOW });
    await jobs.completeJob('j', null);
    expect([await jobs.beginJob('j'), await jobs.beginJob('gone')]).toEqual([false, false]);
  });

  it.each([
    [{ done: 2, failed: 0 }, 'completed', null],
    [{ done: 2, failed: 1 }, 'partial', null],
    [{ done: 0, failed: 3 }, 'failed', 'All 3 rows failed.'],
  ] as const)('that has done %j ends as %s', async (counts, status, error) => {
    const { stored, jobs } = jobsOf({ status: 'running', ...counts });
    await jobs.completeJob('j', { boxes: 1 }, 'row');
    expect(stored).toMatchObject({ status, error, result: { boxes: 1 }, job_finished: NOW });
  });

  it('keeps what it has come to where it is given up, and never changes again', async () => {
    const { stored, jobs, lost } = jobsOf({ status: 'running', result: { boxes: 1 } });
    await lost.get('background_job')?.('j', 'Its workers were lost.');
    await jobs.completeJob('j', null);
    expect(stored).toMatchObject({ status: 'failed', error: 'Its workers were lost.', result: { boxes: 1 } });
    await expect(jobs.advanceJob('j', 1)).rejects.toThrow(WorkEnded);
  });
});
