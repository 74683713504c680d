import { LoopGuard, type GuardedLoop } from './loop-guard';
import type { WorkAtHand } from './work-at-hand';

const WORK: WorkAtHand = { kind: 'job', operation: 'poison', tenant_id: 'w', request_id: 'r', id: 'j' };

/** A loop whose turns are counted by the test, and what its guard did. */
function guarded(behaviour: Partial<GuardedLoop> = {}, turns = 1) {
  const loop = { turns, spent: 0, share: 1, done: [] as string[] };
  const guard = new LoopGuard(
    { reportMs: 300, endMs: 1_000 },
    {
      ticks: () => loop.turns,
      spentMs: () => loop.spent,
      isDebugged: () => false,
      catchRunning: () => Promise.resolve({ stack: ['spins'], work: WORK }),
      recordStrike: () => Promise.resolve(void loop.done.push('strike')).then(() => 1),
      log: (level) => void loop.done.push(level),
      endProcess: () => Promise.resolve(void loop.done.push('end')),
      ...behaviour,
    },
  );
  const look = async (times: number): Promise<string[]> => {
    for (let time = 0; time < times; time++) {
      loop.spent += 100 * loop.share;
      await guard.checkLoop();
    }
    return loop.done;
  };
  return { loop, look };
}

describe('the guard of an event loop', () => {
  it('reports one that does not turn, writes a strike for its work and ends the process', async () => {
    const { look } = guarded();
    expect(await look(2)).toEqual([]);
    expect(await look(1)).toEqual(['error']);
    expect(await look(6)).toEqual(['error']);
    expect(await look(1)).toEqual(['error', 'strike', 'fatal', 'end']);
  });

  it('counts from its first turn, and from its last one', async () => {
    expect(await guarded({}, 0).look(50)).toEqual([]);
    const { loop, look } = guarded();
    for (let time = 0; time < 30; time++) {
      await look(2);
      loop.turns++;
    }
    expect(loop.done).toEqual([]);
  });

  it('does not end a process whose loop turned again while it was looked into, or while the strike was written', async () => {
    let catches = 0;
    const seen = guarded({
      catchRunning: () => {
        if (++catches === 2) seen.loop.turns++;
        return Promise.resolve(undefined);
      },
    });
    expect(await seen.look(10)).toEqual(['error']);
    expect(catches).toBe(2);
    const struck = guarded({
      recordStrike: () => {
        struck.loop.turns++;
        return Promise.resolve(1);
      },
    });
    expect(await struck.look(10)).toEqual(['error', 'error']);
    // Blocked once more, for as long again.
    expect(await struck.look(2)).toEqual(['error', 'error']);
  });

  it('waits for one that hardly gets a processor until it has used a quarter of the time, at most six times as long', async () => {
    const { loop, look } = guarded();
    loop.share = 1 / 50;
    expect(await look(59)).toEqual(['error']);
    expect(await look(1)).toEqual(['error', 'strike', 'fatal', 'end']);
    for (const [share, looks] of [
      [1 / 2, 10],
      [1 / 10, 25],
    ] as const) {
      const crowded = guarded();
      crowded.loop.share = share;
      expect(await crowded.look(looks - 1)).toEqual(['error']);
      expect(await crowded.look(1)).toEqual(['error', 'strike', 'fatal', 'end']);
    }
  });

  it('counts what was spent since the last turn alone', async () => {
    const { loop, look } = guarded();
    await look(9);
    loop.turns++;
    loop.share = 0;
    expect(await look(50)).toEqual(['error', 'error']);
  });

  it('says that one at a breakpoint is blocked, and neither looks into it nor ends it', async () => {
    const catchRunning = jest.fn(() => Promise.resolve(undefined));
    const { look } = guarded({ isDebugged: () => true, catchRunning });
    expect(await look(100)).toEqual(['warn']);
    expect(catchRunning).not.toHaveBeenCalled();
  });
});
