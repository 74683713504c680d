import type { Outage } from '@atrium/platform/kernel';
import type { Waited } from './job-ledger';
import { JobPause, PermanentFailure } from './job-handling';
import { InvalidPayload } from './job-payload';
import { outageOf, pauseAfter, type OutagePace } from './outages';
import type { ReceivedJob } from './queue-backend';

/** What happens to a job whose handler threw: it waits for an external service or for its time, is tried again, or has failed. */
export type ErrorOutcome =
  | { readonly kind: 'waits'; readonly outage: Outage; readonly pauseMs: number }
  | { readonly kind: 'pauses'; readonly pauseMs: number }
  | { readonly kind: 'again' }
  | { readonly kind: 'over' };

/** Decides what an error means for one run. An outage uses up no attempt, as long as the job has not waited longer than the pace allows. */
export function outcomeOfError(
  error: unknown,
  received: Pick<ReceivedJob, 'lastAttempt'>,
  { waits, waitedMs }: Waited,
  pace: OutagePace,
): ErrorOutcome {
  if (error instanceof PermanentFailure || error instanceof InvalidPayload) return { kind: 'over' };
  if (error instanceof JobPause) return { kind: 'pauses', pauseMs: error.pauseMs };
  const outage = outageOf(error);
  if (outage)
    return waitedMs < pace.boundMs
      ? { kind: 'waits', outage, pauseMs: pauseAfter(pace, waits, { retryAfterMs: outage.retryAfterMs }) }
      : { kind: 'over' };
  return { kind: received.lastAttempt ? 'over' : 'again' };
}
