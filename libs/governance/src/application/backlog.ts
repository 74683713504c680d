/**
 * Things that wait to be written, in the order they came and never more than it holds: when it is full the oldest goes.
 * A ring, so that adding costs the same however many wait.
 */
export class Backlog<T> {
  private readonly slots: (T | undefined)[] = [];
  private begin = 0;
  private end = 0;

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.end - this.begin;
  }

  /** The thing that had to go for it, if one had. */
  add(item: T): T | undefined {
    const oldest = this.size === this.capacity ? this.drop() : undefined;
    this.slots[this.end++ % this.capacity] = item;
    return oldest;
  }

  /** The oldest so many, which stay until they are released. */
  oldest(count: number): Batch<T> {
    const from = this.begin;
    const items = Array.from({ length: Math.min(count, this.size) }, (_, i) => this.slots[(from + i) % this.capacity] as T);
    return { items, until: from + items.length };
  }

  /** Forgets a batch, as far as it has not been pushed out meanwhile; answers those it forgot. */
  release({ until }: Batch<T>): T[] {
    const gone: T[] = [];
    while (this.begin < until) gone.push(this.drop() as T);
    return gone;
  }

  private drop(): T | undefined {
    const slot = this.begin++ % this.capacity;
    const item = this.slots[slot];
    this.slots[slot] = undefined;
    return item;
  }
}

export interface Batch<T> {
  readonly items: readonly T[];
  readonly until: number;
}
