import { Outage, Problem } from '@atrium/platform/kernel';
import { PermanentFailure, type JobRun } from '../job-handling';

const SERVER_FAULT = 500;
/** What people read of work that failed for a reason of the service's own. */
export const GIVEN_UP = 'The work could not be finished. Start it again.';

/** Whether the error is the answer to what was asked for, and not a fault that may pass. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && !(error instanceof Outage) && error.status < SERVER_FAULT;

/** What a job throws in place of a refusal, so that its queue does not try it again. */
export const withoutRetry = (error: unknown): unknown => (isRefusal(error) ? new PermanentFailure(error.detail, { cause: error }) : error);

/** Why the work ends here, for people; undefined where another run may succeed. */
export async function reasonToStop(error: unknown, run: Pick<JobRun, 'givesUpOn'>, isFinal = isRefusal): Promise<string | undefined> {
  if (error instanceof PermanentFailure) return error.message;
  if (isFinal(error)) return error.detail;
  if (!(await run.givesUpOn(error))) return undefined;
  return error instanceof Problem && error.code !== 'internal_error' ? error.detail : GIVEN_UP;
}
