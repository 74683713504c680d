import type { Clock } from '@atrium/platform/kernel';
import { KnowledgeJob } from './knowledge-job';

const NOW = new Date('2026-11-23T06:00:00Z');
const clock = { now: () => NOW } as Clock;
const job = (status: KnowledgeJob['status']): KnowledgeJob =>
  Object.assign(new KnowledgeJob(), { status, job_order: { rows: [1] }, job_started: null, job_finished: null, job_attempt: 0 });

describe('a job of a base', () => {
  it('begins once, and goes on in another worker without beginning again', () => {
    const work = job('queued');
    work.begin(clock);
    expect(work).toMatchObject({ status: 'running', job_started: NOW, job_attempt: 1 });
    work.begin({ now: () => new Date('2026-11-24T00:00:00Z') } as Clock);
    expect(work).toMatchObject({ job_started: NOW, job_attempt: 2 });
  });

  it('finishes with its outcome, and forgets what was asked for', () => {
    const work = job('running');
    work.finish({ status: 'partial', error: 'x'.repeat(2_000), held_removes: 3 }, clock);
    expect(work).toMatchObject({ status: 'partial', held_removes: 3, job_finished: NOW, job_order: {}, isFinished: true });
    expect(work.error).toHaveLength(1_000);
  });

  it('can fail before it has begun, but not succeed', () => {
    job('queued').finish({ status: 'failed' }, clock);
    expect(() => job('queued').finish({ status: 'completed' }, clock)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });

  it.each(['completed', 'partial', 'failed', 'cancelled'] as const)('that is %s never changes again', (status) => {
    for (const change of [
      () => job(status).cancel(clock),
      () => job(status).begin(clock),
      () => job(status).finish({ status: 'failed' }, clock),
    ])
      expect(change).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });
});
