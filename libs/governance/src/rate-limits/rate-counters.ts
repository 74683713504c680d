/** One counter after a hit: how many of this minute, and in how many milliseconds it begins again. */
export interface RateCount {
  readonly count: number;
  readonly resetMs: number;
}

/** Where requests of the running minute are counted, over all processes of the installation. Never rejects. */
export abstract class RateCounters {
  /** One more for each key; their counts in the same order. At once where it can. */
  abstract incrementCounters(keys: readonly string[]): readonly RateCount[] | Promise<readonly RateCount[]>;

  /** Takes one hit of each key back: the request was refused by another count. */
  abstract undoHits(keys: readonly string[]): void;

  /** The counts as they stand. */
  abstract readCounters(keys: readonly string[]): Promise<readonly RateCount[]>;
}
