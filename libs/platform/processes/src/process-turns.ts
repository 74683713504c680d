import { Problem } from '@atrium/platform/kernel';

/** Work that waits for a process, by whom it is for. */
export interface Turn {
  /** A workspace; work without an owner counts as that of one more. */
  readonly owner?: string | undefined;
}

export interface TurnRules {
  /** Work that runs at once, not counting what has become long. */
  readonly places: number;
  /** All that runs at once. */
  readonly most: number;
  /** How much work of one owner may wait. */
  readonly waiting: number;
}

interface Running<T> {
  readonly work: T;
  long: boolean;
}

/**
 * Whose work runs next. Owners take turns, each in the order it asked. Work that has become long gives its place to others
 * and goes on beside them, as much of it as there are places; an owner with long work leaves the last free place to others.
 * Where every place is taken, one more is for an owner that has no work running, and so is the last one of all: nobody waits for
 * another one's work alone. The line of each owner is bounded.
 */
export class ProcessTurns<T extends Turn> {
  private readonly waiting = new Map<string, T[]>();
  private readonly running = new Set<Running<T>>();

  constructor(private readonly rules: TurnRules) {}

  get size(): number {
    return [...this.waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /** Throws `service_unavailable` where as much work of its owner waits as may. */
  enqueueWork(work: T): void {
    const owner = ownerOf(work);
    const line = this.waiting.get(owner) ?? [];
    if (line.length >= this.rules.waiting) throw full();
    line.push(work);
    this.waiting.set(owner, line);
  }

  /** Takes work out of the line of its owner; false where it does not wait. */
  withdrawWork(work: T): boolean {
    const owner = ownerOf(work);
    const line = this.waiting.get(owner) ?? [];
    const at = line.indexOf(work);
    if (at === -1) return false;
    line.splice(at, 1);
    if (line.length === 0) this.waiting.delete(owner);
    return true;
  }

  /** The next work that may run, which counts as running from now on; undefined when none may. */
  takeNext(): T | undefined {
    const free = this.free();
    for (const [owner, queue] of this.waiting) if (this.mayRun(owner, free)) return this.take(owner, queue);
    return undefined;
  }

  /** Everything that waits, which waits no more. */
  drain(): T[] {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    return all;
  }

  becameLong(work: T): void {
    for (const each of this.running) if (each.work === work) each.long = true;
  }

  releaseTurn(work: T): void {
    for (const each of this.running) if (each.work === work) this.running.delete(each);
  }

  /** The owner goes behind all others that wait. */
  private take(owner: string, line: T[]): T | undefined {
    const work = line.shift();
    this.waiting.delete(owner);
    if (line.length > 0) this.waiting.set(owner, line);
    if (work) this.running.add({ work, long: false });
    return work;
  }

  private free(): number {
    const long = [...this.running].filter((each) => each.long).length;
    const { places } = this.rules;
    return places - (this.running.size - long) - Math.max(0, long - places);
  }

  private mayRun(owner: string, free: number): boolean {
    const left = this.rules.most - this.running.size;
    if (left <= 0 || (left === 1 && this.hasAny(owner))) return false;
    if (free > 1) return true;
    return free === 1 ? !this.hasLong(owner) : free === 0 && !this.hasAny(owner);
  }

  private hasAny(owner: string): boolean {
    return [...this.running].some(({ work }) => ownerOf(work) === owner);
  }

  private hasLong(owner: string): boolean {
    return [...this.running].some((each) => each.long && ownerOf(each.work) === owner);
  }
}

const full = (): Problem =>
  new Problem('service_unavailable', 'Too much is being read for the workspace at the moment. Try again shortly.', {
    headers: { 'Retry-After': '5' },
  });

const ownerOf = ({ owner }: Turn): string => owner ?? '';
