/** Where the counters of an order are. */
export const [TICKS, DEBUGGED] = [0, 1];

/** What the thread beside the event loop is given. */
export interface WatchdogOrder {
  /** Two numbers: how often the event loop has turned, and whether a debugger may stop it. */
  readonly counters: SharedArrayBuffer;
  readonly service: string;
  /** Where strikes are written; empty for none. */
  readonly databaseUrl: string;
  /** A loop that is blocked for so long is reported. */
  readonly reportMs: number;
  /** A loop that is blocked for so long has its process ended; 0: never. */
  readonly endMs: number;
}
