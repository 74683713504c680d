/** A counter: what it holds, and in how many milliseconds it is forgotten. */
export interface FailureCount {
  readonly count: number;
  readonly waitMs: number;
}

/** Port to counters that all processes share; each is forgotten some time after its first count. */
export abstract class FailureCounters {
  /** The counters that are not forgotten. */
  abstract readCounters(names: readonly string[]): Promise<ReadonlyMap<string, FailureCount>>;

  /** Counts one more; a new counter lives so long. */
  abstract incrementCounter(name: string, lifeMs: number): Promise<FailureCount>;

  /** Sets a counter, with a new life. */
  abstract setCounter(name: string, count: number, lifeMs: number): Promise<void>;

  abstract clearCounters(names: readonly string[]): Promise<void>;
}
