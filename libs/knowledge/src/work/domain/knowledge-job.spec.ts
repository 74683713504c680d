import type { Clock } from '@atrium/platform/kernel';
import { KnowledgeJob } from './knowledge-job';

const NOW = new Date('2026-11-23T06:00:00Z');
const clock = { now: () => NOW } as Clock;
const COUNTS = { done: 0, failed: 0, removed: 0 };
const job = (status: KnowledgeJob['status']): KnowledgeJob =>
  Object.assign(new KnowledgeJob(), { status, job_order: { rows: [1] }, job_started: null, job_finished: null, job_attempt: 0, ...COUNTS });

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

  it.each([
    [{ done: 0, failed: 2, removed: 0 }, 'import', 'failed', 'All 2 rows failed.'],
    [{ done: 0, failed: 2, removed: 0 }, 'crawl', 'failed', 'All 2 pages failed.'],
    [{ done: 0, failed: 2, removed: 1 }, 'crawl', 'partial', null],
    [{ done: 1, failed: 2, removed: 0 }, 'import', 'partial', null],
  ])('with %j of an %s has %s', (counts, job_kind, status, error) => {
    const work = Object.assign(job('running'), counts, { job_kind });
    work.finish({ status: 'partial' }, clock);
    expect(work).toMatchObject({ status, error });
  });

  it('is complete although pages are gone for good, which count as failed', () => {
    const work = Object.assign(job('running'), { done: 3, failed: 1, job_kind: 'crawl' });
    work.finish({ status: 'completed' }, clock);
    expect(work).toMatchObject({ status: 'completed', error: null });
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
