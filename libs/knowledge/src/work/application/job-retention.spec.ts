import type { RetentionTarget, RetentionTargets } from '@atrium/governance';
import { runInScope } from '@atrium/platform/database';
import type { Outbox } from '@atrium/platform/messaging';
import type { BaseContents } from '../../bases/application/base-contents';
import type { JobFaultRows } from '../infrastructure/job-faults.rows';
import type { JobObjects } from '../infrastructure/job-objects';
import type { JobsRepository } from '../infrastructure/jobs.repository';
import { JobRetention } from './job-retention';

/** What a batch of the retention of jobs does where one of its jobs has so many faults. */
async function purging(faults: number) {
  const course: string[] = [];
  const targets: RetentionTarget[] = [];
  const deleteJobs = () => {
    course.push('delete jobs');
    return Promise.resolve([{ job_report: null, job_object: null }]);
  };
  const retention = new JobRetention(
    { register: (target: RetentionTarget) => targets.push(target) } as unknown as RetentionTargets,
    { register: () => undefined } as unknown as BaseContents,
    {} as Outbox,
    {} as JobObjects,
    { lockDueJobs: () => Promise.resolve(['j']), deleteJobs } as unknown as JobsRepository,
    {
      removeSome: (_: unknown, most: number) => Promise.resolve(course.push('delete faults')).then(() => Math.min(faults, most)),
    } as unknown as JobFaultRows,
  );
  retention.onModuleInit();
  const scope = { tenant_id: 't', actor: { user_id: null, key_id: null }, request_id: 'r' };
  const removed = await runInScope(scope as unknown as Parameters<typeof runInScope>[0], async () =>
    targets.find(({ key }) => key === 'job_rows')?.purgeBatch(new Date(), 500),
  );
  return { removed, course };
}

describe('the retention of jobs', () => {
  it('deletes the faults of jobs in batches, and jobs once there are none left', async () => {
    const many = await purging(1_000_000);
    expect(many).toEqual({ removed: { removed: 0, bytes: 0, left: true }, course: ['delete faults'] });
    const few = await purging(3);
    expect(few).toEqual({ removed: { removed: 1, bytes: 0, left: false }, course: ['delete faults', 'delete jobs'] });
  });
});
