import { FileJob } from './file-job';

const clock = { now: () => new Date('2026-05-04T12:00:00Z'), after: (ms: number) => new Date(Date.parse('2026-05-04T12:00:00Z') + ms) };

const job = (): FileJob =>
  Object.assign(new FileJob(), {
    job_id: 'j',
    job_kind: 'reindex',
    status: 'queued',
    done: 0,
    failed: 0,
    total: null,
    error: null,
    result: null,
    errors: [],
    job_params: { source_url: 'https://a.example/?token=secret' },
    job_checkpoint: null,
    job_attempt: 0,
  } as const);

const running = (): FileJob => {
  const begun = job();
  begun.begin(clock);
  return begun;
};

describe('a file job', () => {
  it('sums its batches and ends with the last one, knowing its total by then', () => {
    const work = running();
    work.advance({ checkpoint: 'a', done: 3, failed: 1, errors: [{ file_id: 'f', code: 'gone' }], result: { first: 1 } }, clock);
    expect(work).toMatchObject({ status: 'running', done: 3, failed: 1, job_checkpoint: 'a', total: null });
    work.begin(clock);
    work.advance({ checkpoint: null, done: 2, failed: 0, errors: [], result: { last: 2 } }, clock);
    expect(work).toMatchObject({
      status: 'partial',
      done: 5,
      failed: 1,
      total: 6,
      result: { first: 1, last: 2 },
      errors: [{ file_id: 'f', code: 'gone' }],
    });
  });

  it('has failed where none of its files was done', () => {
    const work = running();
    work.advance({ checkpoint: null, done: 0, failed: 2, errors: [{ file_id: 'f', code: 'gone' }] }, clock);
    expect(work).toMatchObject({ status: 'failed', error: 'All 2 files failed.', total: 2 });
  });

  it('names a hundred failures at most', () => {
    const work = running();
    for (let batch = 0; batch < 3; batch++)
      work.advance(
        {
          checkpoint: String(batch),
          done: 0,
          failed: 60,
          errors: Array.from({ length: 60 }, (_, at) => ({ file_id: `${batch}-${at}`, code: 'gone' })),
        },
        clock,
      );
    expect(work.errors).toHaveLength(100);
    expect(work.failed).toBe(180);
  });

  it('names why it failed as a whole where no file did', () => {
    const work = running();
    work.finish({ status: 'failed', error: 'No such address.', code: 'upstream_failed' }, clock);
    expect(work).toMatchObject({ status: 'failed', errors: [{ file_id: null, code: 'upstream_failed' }], job_updated: clock.now() });
  });

  it('forgets what it was asked for when it ends, however it ends', () => {
    const ends: ((work: FileJob) => unknown)[] = [
      (work) => work.cancel(clock),
      (work) => work.finish({ status: 'failed', error: 'no', code: 'gone' }, clock),
      (work) => work.advance({ checkpoint: null, done: 0, failed: 0, errors: [] }, clock),
    ];
    for (const end of ends) {
      const work = running();
      end(work);
      expect(JSON.stringify(work)).not.toContain('secret');
    }
  });
});
