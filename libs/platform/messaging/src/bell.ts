/** Waits for a ring, the signal or the time, whichever comes first; a ring since the last reset counts. */
export class Bell {
  private wasRung = false;
  private wake: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.ring(), { once: true });
  }

  ring(): void {
    this.wasRung = true;
    this.wake?.();
  }

  reset(): void {
    this.wasRung = false;
  }

  waitForRing(withinMs: number): Promise<void> {
    if (this.wasRung || this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
