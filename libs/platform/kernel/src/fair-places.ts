import { currentEnding, onEnding, reasonOf } from './ending';
import { Problem } from './problem';

/** The owner whose work is that of all: it may have every place that nobody else waits for. */
export const OF_ALL = '';

export interface PlaceRules {
  /** How many there are; a function where that changes, with `admitWaiting` called after each change. */
  readonly places: number | (() => number);
  /** How many places one owner leaves to others, although nobody else wants them at the moment. */
  readonly reserve: number;
  /** How long work waits for a place before it is rejected. */
  readonly waitMs: number;
  /** How much work of one owner may wait. */
  readonly waiting: number;
  /** What the rejected caller reads. */
  readonly full: string;
}

interface Waiter {
  readonly begin: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Shares a few places between owners (workspaces): owners that wait take turns, one owner never has all places, and no more
 * than half of them while others wait. What waits too long is rejected with `service_unavailable`.
 */
export class FairPlaces {
  private taken = 0;
  private readonly held = new Map<string, number>();
  /** Owners that wait, in the order of their turns. */
  private readonly lines = new Map<string, Waiter[]>();

  constructor(private readonly rules: PlaceRules) {}

  get waiting(): number {
    return [...this.lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /** What waits leaves the line when the request or job that asks ends. */
  async runInPlace<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const wait = this.takePlace(owner, currentEnding());
    if (wait) await wait;
    try {
      return await work();
    } finally {
      this.releasePlace(owner);
    }
  }

  /** Takes a place; undefined when it is taken at once, which it nearly always is. A caller that entered leaves. */
  takePlace(owner: string, ending?: AbortSignal): Promise<void> | undefined {
    if (!this.lines.has(owner) && this.mayEnter(owner)) {
      this.give(owner);
      return undefined;
    }
    return this.standInLine(owner, ending);
  }

  releasePlace(owner: string): void {
    this.taken--;
    const left = (this.held.get(owner) ?? 1) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.admitWaiting();
  }

  private mayEnter(owner: string): boolean {
    const places = typeof this.rules.places === 'number' ? this.rules.places : this.rules.places();
    if (this.taken >= places) return false;
    const most = Math.max(1, places - this.rules.reserve);
    const othersWait = this.lines.size > (this.lines.has(owner) ? 1 : 0);
    const held = this.held.get(owner) ?? 0;
    if (owner === OF_ALL) return !othersWait || held < most;
    return held < (othersWait ? Math.min(Math.max(1, Math.floor(places / 2)), most) : most);
  }

  private give(owner: string): void {
    this.taken++;
    this.held.set(owner, (this.held.get(owner) ?? 0) + 1);
  }

  private standInLine(owner: string, ending: AbortSignal | undefined): Promise<void> {
    const line = this.lines.get(owner) ?? [];
    if (ending?.aborted) throw reasonOf(ending);
    if (line.length >= this.rules.waiting) throw this.rejection();
    this.lines.set(owner, line);
    return new Promise((resolve, reject) => {
      const leave = (reason: Error): void => {
        forget();
        clearTimeout(waiter.timer);
        this.withdraw(owner, waiter);
        reject(reason);
        // Its owner may no longer count among those that wait.
        this.admitWaiting();
      };
      const begin = (): void => {
        forget();
        resolve();
      };
      const waiter: Waiter = { begin, timer: setTimeout(() => leave(this.rejection()), this.rules.waitMs).unref() };
      const forget = onEnding(ending, leave);
      line.push(waiter);
    });
  }

  private withdraw(owner: string, gone: Waiter): void {
    const line = (this.lines.get(owner) ?? []).filter((waiter) => waiter !== gone);
    if (line.length > 0) this.lines.set(owner, line);
    else this.lines.delete(owner);
  }

  /** Gives what is free to those whose turn it is; an owner that got a place goes behind all others. */
  admitWaiting(): void {
    for (let next = this.nextOwner(); next !== undefined; next = this.nextOwner()) {
      const line = this.lines.get(next) ?? [];
      const first = line.shift();
      this.give(next);
      this.lines.delete(next);
      if (line.length > 0) this.lines.set(next, line);
      if (first) {
        clearTimeout(first.timer);
        first.begin();
      }
    }
  }

  private nextOwner(): string | undefined {
    return [...this.lines.keys()].find((owner) => this.mayEnter(owner));
  }

  private rejection(): Problem {
    return new Problem('service_unavailable', this.rules.full, { headers: { 'Retry-After': '1' } });
  }
}
