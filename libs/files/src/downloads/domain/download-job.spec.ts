import { Clock, Problem } from '@atrium/platform/kernel';
import { DownloadJob, type DownloadJobState } from './download-job';

class NoonClock extends Clock {
  now(): Date {
    return new Date('2026-03-01T12:00:00.000Z');
  }
}

const clock = new NoonClock();

const jobIn = (status: DownloadJobState): DownloadJob =>
  Object.assign(new DownloadJob(), {
    tenant_id: 't',
    job_id: 'x',
    status,
    job_started: null,
    job_finished: null,
    total: 3,
    done: 2,
    skipped: [{ file_id: 'a', reason: 'not_found' }],
    archive_key: null,
    error: null,
  });

describe('a download job', () => {
  it('runs, completes with its archive and is kept for the days it is given', () => {
    const job = jobIn('queued');
    job.begin(clock);
    job.finish({ status: 'completed', archive: { size: 10, skipped: [{ file_id: 'b', reason: 'lost' }], days: 7 } }, clock);
    expect(job).toMatchObject({ status: 'completed', done: 2, archive_size: 10, expires_at: new Date('2026-03-08T12:00:00.000Z') });
    expect(job.skipped.map((skip) => skip.file_id)).toEqual(['a', 'b']);
  });

  it('has packed nothing where every file was skipped, and completes with an archive that says so', () => {
    const job = jobIn('running');
    const skipped = ['b', 'c', 'd'].map((file_id) => ({ file_id, reason: 'lost' as const }));
    job.finish({ status: 'completed', archive: { size: 10, skipped, days: 7 } }, clock);
    expect(job).toMatchObject({ status: 'completed', done: 0, error: null });
  });

  it('begins again after its worker was lost, counting from nothing, and packs into another archive', () => {
    const job = jobIn('running');
    job.begin(clock);
    const first = job.job_attempt;
    job.done = 2;
    job.begin(clock);
    expect(job).toMatchObject({ status: 'running', done: 0 });
    expect(first).toMatch(/^t\/t\/archives\/x\//);
    expect(job.job_attempt).not.toBe(first);
  });

  it.each(['queued', 'running'] as const)('can be cancelled while %s', (status) => {
    const job = jobIn(status);
    job.cancel(clock);
    expect(job.status).toBe('cancelled');
  });

  it.each(['completed', 'failed', 'cancelled', 'expired'] as const)('cannot be cancelled once %s', (status) => {
    const job = jobIn(status);
    expect(() => job.cancel(clock)).toThrow(Problem);
    expect(job.status).toBe(status);
  });

  it.each(['completed', 'failed', 'cancelled', 'expired'] as const)('does not run again once %s', (status) => {
    expect(() => jobIn(status).begin(clock)).toThrow(Problem);
  });

  it('does not complete once it was cancelled', () => {
    expect(() => jobIn('cancelled').finish({ status: 'completed' }, clock)).toThrow(/cancelled/);
  });

  it.each(['queued', 'running', 'failed', 'cancelled', 'expired'] as const)('has no archive that could expire while %s', (status) => {
    expect(() => jobIn(status).expire()).toThrow(Problem);
  });

  it('knows where its archive is stored when it expires, so that the bytes can go', () => {
    const job = jobIn('completed');
    job.archive_key = 'k';
    job.expire();
    expect(job).toMatchObject({ status: 'expired', archive_key: 'k' });
  });
});
