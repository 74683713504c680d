import type { WorkStep } from '@atrium/platform/messaging';
import type { JobRuns } from '../../work/application/job-runs';
import type { JobCount, KnowledgeJob } from '../../work/domain/knowledge-job';
import type { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import type { JobsRepository } from '../../work/infrastructure/jobs.repository';
import { RecordImportJob } from './record-import-job';

describe('the job of an import of records', () => {
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
      { created: 3, updated: 0, unchanged: 0, done: 3, failed: -2, place: { written: true } },
    ]);
  });
});
