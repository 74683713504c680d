import { Clock, SECOND } from '@atrium/platform/kernel';
import { SyncRun } from './sync-run';

const STALL_MS = 60 * SECOND;
class SteppedClock extends Clock {
  private time = new Date('2026-05-01T12:00:00Z');

  now(): Date {
    return this.time;
  }

  advance(milliseconds: number): void {
    this.time = this.after(milliseconds);
  }
}
let clock: SteppedClock;
beforeEach(() => {
  clock = new SteppedClock();
});

const queued = (facts: Partial<SyncRun> = {}): SyncRun =>
  Object.assign(SyncRun.blank({ tenant_id: 't', job_id: 'j', site_id: 's', direction: 'push', trigger: 'manual' }, clock.now()), facts);
function running(facts: Partial<SyncRun> = {}): SyncRun {
  const run = queued(facts);
  run.begin(clock);
  return run;
}
const finished = (facts: Partial<SyncRun>): SyncRun => {
  const run = running(facts);
  run.finish({ status: 'completed' }, clock);
  return run;
};

describe('a sync run', () => {
  it.each([
    [STALL_MS, false],
    [STALL_MS + 1, true],
  ])('whose worker has shown nothing for %d ms is stalled: %s', (silence, isStalled) => {
    const run = running();
    clock.advance(silence);
    expect(run.isStalled(clock, STALL_MS)).toBe(isStalled);
  });

  it('is not stalled before it began or after it ended', () => {
    const [waiting, over] = [queued(), finished({ total: 0 })];
    clock.advance(STALL_MS * 2);
    expect([waiting.isStalled(clock, STALL_MS), over.isStalled(clock, STALL_MS)]).toEqual([false, false]);
  });

  it('leaves the lost worker behind when it is resumed, and is resumed only when it is stalled', () => {
    const run = running();
    expect(() => run.resume(clock, STALL_MS)).toThrow('running and not stalled');
    clock.advance(STALL_MS + 1);
    const { fence } = run;
    run.resume(clock, STALL_MS);
    expect(run.fence).toBe(fence + 1);
    expect(run.isStalled(clock, STALL_MS)).toBe(false);
  });

  it.each<[string, Partial<SyncRun>, string]>([
    ['everything moved', { total: 3, done: 3 }, 'completed'],
    ['a conflict is open', { total: 3, done: 2, unsettled: 1 }, 'partial'],
    ['deletions are held', { total: 3, done: 3, held_deletes: 5 }, 'partial'],
    ['a page failed', { total: 3, done: 2, failed: 1 }, 'partial'],
  ])('ends as it should where %s', (_what, facts, status) => {
    expect(finished(facts).status).toBe(status);
  });

  it('forgets its place when it ends', () => {
    expect(finished({ total: 0, place: { step: 'apply' } }).place).toEqual({});
  });

  it('is retried once, and only if pages have failed', () => {
    expect(() => running({ failed: 1 }).retry('next')).toThrow('no failed pages');
    expect(() => finished({ total: 1, done: 1 }).retry('next')).toThrow('no failed pages');
    const run = finished({ total: 2, done: 1, failed: 1 });
    run.retry('next');
    expect(run.retry_job).toBe('next');
    expect(() => run.retry('another')).toThrow('already retried');
  });
});
