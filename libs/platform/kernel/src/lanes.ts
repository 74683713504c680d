import { currentEnding, onEnding, reasonOf } from './ending';
import { Problem } from './problem';

/**
 * Lets so many pieces of heavy work run at once; the others wait in line, and when the line is full they are rejected with
 * `service_unavailable`. What waits leaves the line when its request is broken off or its job is stopped. For work that would otherwise take the memory of the whole process.
 */
export class Lanes {
  private running = 0;
  private readonly line: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly waiting: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running++;
    else await this.queue();
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.running--;
    }
  }

  /** A released lane goes to the first in line. */
  private queue(): Promise<void> {
    if (this.line.length >= this.waiting)
      throw new Problem('service_unavailable', 'Too many requests of this kind are running. Try again shortly.', {
        headers: { 'Retry-After': '2' },
      });
    const ending = currentEnding();
    if (ending?.aborted) throw reasonOf(ending);
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        forget();
        resolve();
      };
      const forget = onEnding(ending, (reason) => {
        this.line.splice(this.line.indexOf(begin), 1);
        reject(reason);
      });
      this.line.push(begin);
    });
  }
}
