import { MINUTE, type Clock } from '@atrium/platform/kernel';
import { Run, RUN_STATUSES, SILENT_MS, WAITS_MS, type RunEnd, type RunStatus } from './run';

const NOW = new Date('2026-11-23T09:00:00Z');
const clock = { now: () => NOW } as Clock;
const run = (facts: Partial<Run> = {}): Run =>
  Object.assign(new Run(), {
    run_status: 'queued',
    run_attempt: 0,
    run_losses: 0,
    run_started: null,
    run_finished: null,
    run_stop_requested: false,
    run_error: null,
    ...facts,
  });

describe('a run', () => {
  it('is taken up from the queue, with an attempt of its own', () => {
    const one = run();
    expect([one.claim(clock), one.run_status, one.run_attempt, one.run_losses, one.run_started]).toEqual(['began', 'running', 1, 0, NOW]);
    expect([one.isHeldBy(1), one.isHeldBy(0)]).toEqual([true, false]);
  });

  it('is taken over from a lost worker twice and given up the third time; no worker before can write', () => {
    const one = run({ run_status: 'running', run_attempt: 1, run_started: NOW });
    expect([one.claim(clock), one.run_attempt, one.isHeldBy(1), one.isHeldBy(2)]).toEqual(['taken over', 2, false, true]);
    expect([one.claim(clock), one.run_attempt]).toEqual(['taken over', 3]);
    expect([one.claim(clock), one.run_losses, one.run_attempt, one.isHeldBy(3)]).toEqual(['given up', 3, 4, false]);
  });

  it('does not count as lost what was handed back or waited', () => {
    const one = run();
    for (let round = 0; round < 5; round++) {
      expect(one.claim(clock)).toBe('began');
      if (round % 2 === 0) one.handBack();
      else {
        one.wait(clock);
        one.resume(clock);
      }
    }
    expect([one.run_attempt, one.run_losses]).toEqual([5, 0]);
  });

  it('has a time from its first attempt on, which takeovers do not prolong and waiting for somebody does', () => {
    const at = (minutes: number): Clock => ({ now: () => new Date(NOW.getTime() + minutes * MINUTE) }) as Clock;
    const one = run({ run_due: null, run_alive: NOW });
    one.claim(at(0));
    one.claim(at(4));
    expect(one.timeLeft(at(4))).toBe(10 * MINUTE);
    expect([9, 10, 11].map((minutes) => one.isDue(at(minutes)))).toEqual([false, true, true]);
    one.wait(at(5));
    one.resume(at(65));
    one.claim(at(65));
    expect([one.run_due, one.timeLeft(at(65))]).toEqual([at(70).now(), 9 * MINUTE]);
    expect(one.timeLeft(at(74))).toBe(0);
  });

  it('has time for its last step whenever it comes from the queue, and none for it where its worker was lost', () => {
    const at = (minutes: number): Clock => ({ now: () => new Date(NOW.getTime() + minutes * MINUTE) }) as Clock;
    const one = run({ run_due: null, run_alive: NOW });
    one.claim(at(0));
    one.wait(at(5));
    one.resume(at(5));
    one.claim(at(60));
    expect([one.run_due, one.timeLeft(at(60))]).toEqual([at(60).now(), 4 * MINUTE]);
    one.claim(at(65));
    expect(one.timeLeft(at(65))).toBe(-MINUTE);
  });

  it('is stopped by its worker while one has it, and at once otherwise', () => {
    expect(run({ run_status: 'running' }).requestStop()).toBe(true);
    expect(run().requestStop()).toBe(false);
    expect(run({ run_status: 'waiting' }).requestStop()).toBe(false);
  });

  it('leaves nothing to write for the attempt that it ended in, nor for one that it was taken from', () => {
    const ended = run({ run_status: 'running', run_attempt: 2 });
    ended.end('stopped', clock);
    expect([ended.isHeldBy(2), ended.run_finished]).toEqual([false, NOW]);
    const taken = run({ run_status: 'running', run_attempt: 2 });
    taken.takeAway();
    expect([taken.isHeldBy(2), taken.isHeldBy(3)]).toEqual([false, true]);
  });

  const ENDS: Readonly<Record<RunStatus, readonly RunEnd[]>> = {
    queued: ['failed', 'stopped'],
    running: ['completed', 'failed', 'stopped'],
    waiting: ['failed', 'stopped'],
    completed: [],
    failed: [],
    stopped: [],
  };
  it.each(RUN_STATUSES.flatMap((from) => (['completed', 'failed', 'stopped'] as const).map((to) => [from, to] as const)))(
    'that is %s and is to be %s',
    (from, to) => {
      const one = run({ run_status: from });
      const ending = (): void => one.end(to, clock);
      if (ENDS[from].includes(to)) expect(ending).not.toThrow();
      else expect(ending).toThrow(expect.objectContaining({ code: 'invalid_state' }));
      expect(one.isOver).toBe(ENDS[from].includes(to) || ENDS[from].length === 0);
    },
  );

  it.each(['queued', 'running', 'completed', 'stopped'] as const)('that is %s waits for nothing', (run_status) => {
    expect(() => run({ run_status }).resume(clock)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });

  const before = (ms: number): Date => new Date(NOW.getTime() - ms);
  it.each<[RunStatus, number]>([
    ['queued', SILENT_MS],
    ['running', SILENT_MS],
    ['waiting', WAITS_MS],
  ])('that is %s has come to a standstill %i ms after its last sign, and not before', (run_status, ms) => {
    expect(run({ run_status, run_alive: before(ms) }).isOverdue(clock)).toBe(false);
    expect(run({ run_status, run_alive: before(ms + 1) }).isOverdue(clock)).toBe(true);
  });

  it('that stays queued gives a sign each minute', () => {
    const one = run({ run_alive: before(60_001) });
    expect([one.staysQueued(clock), one.run_alive, one.staysQueued(clock)]).toEqual([true, NOW, false]);
    expect(run({ run_alive: before(60_000) }).staysQueued(clock)).toBe(false);
  });
});
