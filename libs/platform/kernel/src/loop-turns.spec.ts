import { LoopTurns } from './loop-turns';

describe('turns of the event loop', () => {
  it('are given to others while many small things are worked on', async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);
    try {
      const turns = new LoopTurns();
      for (const end = performance.now() + 400; performance.now() < end;) if (turns.isOver) await turns.next();
    } finally {
      clearInterval(timer);
    }
    expect(others).toBeGreaterThan(5);
  });
});
