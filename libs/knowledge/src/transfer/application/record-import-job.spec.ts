import { MOST_LISTED_FAULTS } from '@atrium/imports';
import type { WorkStep } from '@atrium/platform/messaging';
import type { JobRuns } from '../../work/application/job-runs';
import type { JobCount, KnowledgeJob } from '../../work/domain/knowledge-job';
import type { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import type { JobsRepository } from '../../work/infrastructure/jobs.repository';
import { RecordImportJob } from './record-import-job';

const ROWS = Array.from({ length: 300 }, (_, at) => ({
  row: at + 1,
  faults: Array.from({ length: 50 }, () => ({ path: 'Price', code: 'format', message: 'is not a number' })),
}));

const STEP = { created: 0, updated: 0, unchanged: 0, from: 500, to: 800, rows: 300, total: 1_000 };

/** A job that is at a place, and what its steps and faults are. */
function jobAt(job_place: object, failed = 0) {
  const done: unknown[] = [];
  const runs = { recordStep: (_: unknown, step: WorkStep<JobCount>) => Promise.resolve(void done.push(step)) };
  const faults = {
    removeAll: () => Promise.resolve(void done.push('removed')),
    countFaults: () => Promise.resolve(MOST_LISTED_FAULTS - 30),
    addFaults: (_: string, rows: typeof ROWS, room: number) => Promise.resolve(Math.min(room, 50 * rows.length)),
  };
  const row = { job_id: 'j', job_base: 'b', job_place, failed } as unknown as KnowledgeJob;
  const jobs = { findRow: () => Promise.resolve(row), lockRunning: () => Promise.resolve(false) };
  const job = new RecordImportJob(row, runs as unknown as JobRuns, jobs as unknown as JobsRepository, faults as unknown as JobFaultRows);
  return { job, done };
}

describe('the job of an import of records', () => {
  it('lists so many faults, and counts the others over all of its batches', async () => {
    const { job, done } = jobAt({ row: 500, listed: MOST_LISTED_FAULTS - 100, unlisted: 7 });
    await job.recordBatch({ ...STEP, refused: ROWS });
    expect(done).toMatchObject([{ failed: 300, place: { row: 800, listed: MOST_LISTED_FAULTS, unlisted: 7 + 300 * 50 - 100 } }]);
  });

  it('says once which rows kept the others from being written, also where a run before has said it', async () => {
    const { job, done } = jobAt({ surveyed: true }, 300);
    await job.recordAbort({ reason: 'No.', refused: ROWS.slice(0, 200), failed: 300, unlisted: 5_000, total: 300 });
    expect(done).toEqual(['removed', { failed: 0, place: { listed: 10_000, unlisted: 5_000 } }]);
  });

  it('counts the faults that a host of the release before has listed, once', async () => {
    const { job, done } = jobAt({ row: 500 });
    expect(await job.findCounts()).toEqual({ listed: MOST_LISTED_FAULTS - 30, unlisted: 0 });
    await job.recordBatch({ ...STEP, refused: ROWS.slice(0, 1) });
    expect(done).toMatchObject([{ place: { listed: MOST_LISTED_FAULTS, unlisted: 20 } }]);
    expect(await jobAt({ listed: 0 }).job.findCounts()).toEqual({ listed: 0, unlisted: 0 });
  });

  it('is locked while it runs, without a step', async () => {
    const { job, done } = jobAt({});
    await expect(job.lockRunning()).rejects.toThrow('The work has ended.');
    expect(done).toEqual([]);
  });

  it('has no refused rows once all of them are written, whatever a run before it said', async () => {
    const done: unknown[] = [];
    const runs: Partial<JobRuns> = {
      recordStep: (_, step: WorkStep<JobCount>) => Promise.resolve(void done.push(step)),
    };
    const faults: Partial<JobFaultRows> = { removeAll: (job_id) => Promise.resolve(void done.push(`faults of ${job_id} are removed`)) };
    const row = { job_id: 'j', job_base: 'b', job_place: {}, failed: 2 } as unknown as KnowledgeJob;
    const job = new RecordImportJob(row, runs as JobRuns, {} as JobsRepository, faults as JobFaultRows);
    await job.recordAll({ created: 3, updated: 0, unchanged: 0 }, 3);
    expect(done).toEqual([
      'faults of j are removed',
      { created: 3, updated: 0, unchanged: 0, done: 3, failed: -2, place: { written: true, listed: 0, unlisted: 0 } },
    ]);
  });
});
