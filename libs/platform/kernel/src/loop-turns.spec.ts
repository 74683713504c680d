import { inTurns, LoopTurns } from './loop-turns';

describe('turns of the event loop', () => {
  it('are given to others while many small things are worked on', async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);
    try {
      const turns = new LoopTurns();
      for (let piece = 0; piece < 400; piece++) {
        for (const end = performance.now() + 1; performance.now() < end;);
        if (turns.isOver) await turns.awaitNextTurn();
      }
    } finally {
      clearInterval(timer);
    }
    expect(others).toBeGreaterThan(5);
  });

  it('are given to others between the pieces of a work, whose result comes at its end', async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);
    function* pieces(): Generator<void, string> {
      for (let piece = 0; piece < 100; piece++) {
        for (const end = performance.now() + 2; performance.now() < end;);
        yield;
      }
      return 'made';
    }
    try {
      expect(await inTurns(pieces())).toBe('made');
    } finally {
      clearInterval(timer);
    }
    expect(others).toBeGreaterThan(2);
  });
});
