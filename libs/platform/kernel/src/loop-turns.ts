const TURN_MS = 20;

/**
 * For work on many small things in a row: other work on the event loop has a turn every 20 ms.
 *
 * ```ts
 * const turns = new LoopTurns();
 * for (const row of rows) {
 *   if (turns.isOver) await turns.next();
 *   …
 * }
 * ```
 */
export class LoopTurns {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began > TURN_MS;
  }

  /** Ends the turn; resolves in the next one. */
  async awaitNextTurn(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.began = performance.now();
  }
}

/** Does work that comes in pieces, and gives other work on the event loop its turns between them. */
export async function inTurns<T>(pieces: Iterator<unknown, T>): Promise<T> {
  const turns = new LoopTurns();
  for (;;) {
    const piece = pieces.next();
    if (piece.done) return piece.value;
    if (turns.isOver) await turns.awaitNextTurn();
  }
}
