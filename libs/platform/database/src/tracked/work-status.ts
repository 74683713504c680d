import { StateMachine, type EndOfWork } from '@atrium/platform/kernel';

export const WORK_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

/** What `waits_for` says, wherever work shows it. */
export const WAITS_FOR_TEXT =
  'External service that the job waits for while it is unavailable, such as `storage` or `models`; otherwise null. The job continues automatically.';

/** The one wording of the states, for every view of work. */
export const STATUS_TEXT =
  'Current status: `completed` if nothing failed, `partial` if some items failed, `failed` if nothing was done or the work gave up.';

/** A lost worker is no state: another one goes on from where the row says. */
export const WORK_STATES = new StateMachine<WorkStatus>('job', {
  queued: ['running', 'failed', 'cancelled'],
  running: ['completed', 'partial', 'failed', 'cancelled'],
});

/** How the work ended. */
export interface WorkOutcome {
  readonly status: EndOfWork;
  readonly error?: string | null;
}
