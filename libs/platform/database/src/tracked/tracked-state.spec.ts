import type { Clock } from '@atrium/platform/kernel';
import { TrackedRow } from './tracked-row';
import type { WorkStatus } from './work-status';

const NOW = new Date('2026-11-23T06:00:00Z');
const LATER = new Date('2026-11-24T00:00:00Z');
const at = (now: Date) => ({ now: () => now }) as Clock;

class Work extends TrackedRow {
  removed = 0;
  protected override get noun(): string {
    return 'import';
  }
  protected override get item(): string {
    return 'row';
  }
  protected override get doneInAll(): number {
    return this.done + this.removed;
  }
}

const work = (status: WorkStatus, counts: Partial<Work> = {}): Work =>
  Object.assign(new Work(), { status, done: 0, failed: 0, error: null, job_started: null, job_finished: null, job_attempt: 0 }, counts);

describe('tracked work', () => {
  it('begins once, and goes on in another worker without beginning again', () => {
    const row = work('queued');
    row.begin(at(NOW));
    expect(row).toMatchObject({ status: 'running', job_started: NOW, job_attempt: 1, isFinished: false });
    row.begin(at(LATER));
    expect(row).toMatchObject({ job_started: NOW, job_attempt: 2 });
  });

  it.each([
    [{ done: 2, failed: 0 }, 'completed', 'completed', null],
    [{ done: 0, failed: 0 }, 'completed', 'completed', null],
    [{ done: 2, failed: 1 }, 'completed', 'partial', null],
    [{ done: 2, failed: 0 }, 'partial', 'partial', null],
    [{ done: 0, failed: 2 }, 'completed', 'failed', 'All 2 rows failed.'],
    [{ done: 0, failed: 2 }, 'partial', 'failed', 'All 2 rows failed.'],
    [{ done: 0, failed: 2, removed: 1 }, 'completed', 'partial', null],
    [{ done: 2, failed: 0 }, 'failed', 'failed', null],
  ] as const)('with %j that ends as %s is %s', (counts, ends, status, error) => {
    const row = work('running', counts);
    row.finish({ status: ends }, at(NOW));
    expect(row).toMatchObject({ status, error, job_finished: NOW, isFinished: true });
  });

  it('gives the reason for a failure, of which a bounded part is kept', () => {
    const row = work('running', { failed: 1 });
    row.finish({ status: 'failed', error: 'x'.repeat(2_000) }, at(NOW));
    expect(row.error).toHaveLength(1_000);
  });

  it('can fail before it has begun, but not succeed', () => {
    work('queued').finish({ status: 'failed' }, at(NOW));
    expect(() => work('queued').finish({ status: 'completed' }, at(NOW))).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });

  it.each(['queued', 'running'] as const)('is cancelled while it is %s', (status) => {
    const row = work(status);
    row.cancel(at(NOW));
    expect(row).toMatchObject({ status: 'cancelled', job_finished: NOW });
  });

  it('says what cannot be cancelled any more', () => {
    expect(() => work('partial').cancel(at(NOW))).toThrow('The import is partial already and cannot be cancelled.');
  });

  it.each(['completed', 'partial', 'failed', 'cancelled'] as const)('that is %s never changes again', (status) => {
    for (const change of [
      () => work(status).cancel(at(NOW)),
      () => work(status).begin(at(NOW)),
      () => work(status).finish({ status: 'failed' }, at(NOW)),
    ])
      expect(change).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });
});
