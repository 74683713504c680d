import { currentEnding, onEnding, reasonOf } from './ending';
import { Problem } from './problem';

/**
 * Lets so many pieces of heavy work run at once; the others wait, and when too many do they are rejected with
 * `service_unavailable`. Owners, such as workspaces, take turns: work of one waits behind one piece of each other owner, not behind
 * all that they brought. What waits leaves the line when its request is broken off or its job is stopped. For work that would
 * otherwise take the memory of the whole process.
 */
export class Lanes {
  private running = 0;
  private count = 0;
  /** Lines by owner; the next turn is that of the first. */
  private readonly lines = new Map<string, (() => void)[]>();

  constructor(
    private readonly atOnce: number,
    private readonly waiting: number,
  ) {}

  async runInLane<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    if (this.running < this.atOnce) this.running++;
    else await this.queue(owner);
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next) next();
      else this.running--;
    }
  }

  /** The first in line of the owner whose turn it is, which goes behind the others. */
  private next(): (() => void) | undefined {
    for (const [owner, line] of this.lines) {
      const next = line.shift();
      this.lines.delete(owner);
      if (line.length > 0) this.lines.set(owner, line);
      this.count--;
      return next;
    }
    return undefined;
  }

  /** A released lane goes to what is next. */
  private queue(owner: string): Promise<void> {
    if (this.count >= this.waiting)
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
        this.leave(owner, begin);
        reject(reason);
      });
      const line = this.lines.get(owner);
      if (line) line.push(begin);
      else this.lines.set(owner, [begin]);
      this.count++;
    });
  }

  private leave(owner: string, begin: () => void): void {
    const line = (this.lines.get(owner) ?? []).filter((each) => each !== begin);
    if (line.length > 0) this.lines.set(owner, line);
    else this.lines.delete(owner);
    this.count--;
  }
}
