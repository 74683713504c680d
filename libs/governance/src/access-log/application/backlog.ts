/**
 * Things that wait to be written, in the order they came and never more than it holds: when it is full the oldest goes.
 * Adding costs the same however many wait. What was emptied is left to the collector: young things in an old list would
 * keep it busy.
 */
export class Backlog<T> {
  private items: (T | undefined)[] = [];
  /** Where in the list the oldest is, and how many had gone when the list began. */
  private begin = 0;
  private gone = 0;

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.items.length - this.begin;
  }

  /** The thing that had to go for it, if one had. */
  add(item: T): T | undefined {
    const oldest = this.size === this.capacity ? this.drop() : undefined;
    this.items.push(item);
    return oldest;
  }

  /** The oldest so many, which stay until they are released. */
  oldest(count: number): Batch<T> {
    const items = this.items.slice(this.begin, this.begin + count) as T[];
    return { items, until: this.gone + this.begin + items.length };
  }

  /** Forgets a batch, as far as it has not been pushed out in the meantime; answers those it forgot. */
  release({ until }: Batch<T>): T[] {
    const gone: T[] = [];
    while (this.gone + this.begin < until) gone.push(this.drop() as T);
    return gone;
  }

  private drop(): T | undefined {
    const item = this.items[this.begin];
    this.items[this.begin++] = undefined;
    if (this.begin === this.items.length || this.begin === this.capacity) {
      this.items = this.items.slice(this.begin);
      this.gone += this.begin;
      this.begin = 0;
    }
    return item;
  }
}

export interface Batch<T> {
  readonly items: readonly T[];
  readonly until: number;
}
