/** Rows are locked while their batch is written; a write to one of them waits no longer than about this. */
const BATCH_MS = 250;
const [FEWEST, MOST] = [20, 500];

/** How many rows the first batch has. */
export const FIRST_BATCH = 100;

/** How many rows the next batch has, where this many took so long. */
export function nextBatch(rows: number, tookMs: number): number {
  const within = Math.round((rows * BATCH_MS) / Math.max(1, tookMs));
  // A batch that was quick by chance does not decide alone.
  return Math.min(MOST, Math.max(FEWEST, Math.min(within, rows * 2)));
}
