/** Work that waits for a process, by whom it is for. */
export interface Turn {
  /** A workspace; work without an owner counts as that of one more. */
  readonly owner?: string | undefined;
}

interface Running<T> {
  readonly work: T;
  long: boolean;
}

/**
 * Whose work runs next. Owners take turns, each in the order it asked. Work that has become long gives its place to others
 * and goes on beside them, as much of it as there are places; an owner with long work leaves the last free place to others.
 * Where every place is taken, one more is for an owner that has no work running: nobody waits for another one's work alone.
 */
export class ProcessTurns<T extends Turn> {
  private readonly waiting = new Map<string, T[]>();
  private readonly running = new Set<Running<T>>();

  constructor(private readonly places: number) {}

  get size(): number {
    return [...this.waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  add(work: T): void {
    const owner = ownerOf(work);
    this.waiting.set(owner, [...(this.waiting.get(owner) ?? []), work]);
  }

  /** The next work that may run, which counts as running from now on; undefined when none may. */
  next(): T | undefined {
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

  ended(work: T): void {
    for (const each of this.running) if (each.work === work) this.running.delete(each);
  }

  /** The owner goes behind all others that wait. */
  private take(owner: string, [work, ...rest]: readonly T[]): T | undefined {
    this.waiting.delete(owner);
    if (rest.length > 0) this.waiting.set(owner, rest);
    if (work) this.running.add({ work, long: false });
    return work;
  }

  private free(): number {
    const long = [...this.running].filter((each) => each.long).length;
    return this.places - (this.running.size - long) - Math.max(0, long - this.places);
  }

  private mayRun(owner: string, free: number): boolean {
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

const ownerOf = ({ owner }: Turn): string => owner ?? '';
