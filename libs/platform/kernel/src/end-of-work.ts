/** How work ends that went through all of its items. */
export type EndOfWork = 'completed' | 'partial' | 'failed';

/** What the items of some work came to. */
export interface WorkCounts {
  readonly done: number;
  readonly failed: number;
}

/** The one rule of all jobs: `completed` where nothing failed, `failed` where nothing was done, and `partial` between them. */
export function endOfWork({ done, failed }: WorkCounts): EndOfWork {
  if (failed === 0) return 'completed';
  return done === 0 ? 'failed' : 'partial';
}

/** Why work failed that did none of its items. */
export const allFailed = (failed: number, item = 'item'): string =>
  failed === 1 ? `The only ${item} failed.` : `All ${failed} ${item}s failed.`;
