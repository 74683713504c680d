import type { ActingCallers } from '@atrium/identity';
import type { Database } from '@atrium/platform/database';
import type { Clock } from '@atrium/platform/kernel';
import type { JobRun, Outbox } from '@atrium/platform/messaging';
import { KnowledgeJob } from '../domain/knowledge-job';
import type { JobsRepository } from '../infrastructure/jobs.repository';
import { JobRuns } from './job-runs.service';

const LOST = new Error('Another worker has the job.');
const run = { heartbeat: () => Promise.reject(LOST) } as unknown as JobRun;

describe('the run of a job that another worker has followed', () => {
  it('ends nothing, and is not taken for done', async () => {
    const stored = Object.assign(new KnowledgeJob(), { job_id: 'j', status: 'queued' as const, job_attempt: 0, job_order: {} });
    const events: unknown[] = [];
    const jobs = {
      lock: () => Promise.resolve(Object.assign(new KnowledgeJob(), stored)),
      save: (job: KnowledgeJob) => Promise.resolve(void Object.assign(stored, job)),
    } as unknown as JobsRepository;
    const db = { write: (work: () => unknown) => work() } as unknown as Database;
    const outbox = { emit: (event: unknown) => void events.push(event) } as unknown as Outbox;
    const clock = { now: () => new Date('2026-11-24T00:00:00Z') } as Clock;
    const runs = new JobRuns(db, jobs, {} as ActingCallers, outbox, clock);
    const followed = runs.run('j', run, () => {
      stored.job_attempt += 1;
      return Promise.resolve({ status: 'completed' });
    });
    await expect(followed).rejects.toBe(LOST);
    expect([stored.status, events]).toEqual(['running', []]);
  });
});
