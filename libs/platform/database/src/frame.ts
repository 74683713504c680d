import { Effort, findEffortBy, findEndingBy } from '@atrium/platform/kernel';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallScope } from './call-scope';
import type { UnitOfWork } from './unit-of-work';

/** The unit of work that is open on a database; null where one without a workspace begins. */
export interface OpenUnit {
  readonly database: object;
  readonly work: UnitOfWork | null;
}

/** The request or job that runs, asked only when something is wrong with it. */
export type Doing = () => { readonly kind: 'request' | 'job'; readonly operation: string; readonly id: string };

/** A job that a person waits for, or one that gives way to those. */
export type Urgency = 'awaited' | 'background';

/** What the running code works in: the request or job, and the unit of work that is open. */
export interface Frame {
  readonly scope?: CallScope;
  readonly unit?: OpenUnit;
  /** What it may still compute: one for a whole request, one for each step of a job. */
  readonly effort?: Effort;
  readonly doing?: Doing;
  /** Of jobs: whether a person waits for its outcome at this moment, or others come before it. */
  readonly urgency?: Urgency;
  /** Aborted when nobody waits for the outcome any more; made when it is asked for. */
  readonly ending?: () => AbortSignal;
}

/** One for both, and one for the process: each storage there is costs every promise a little, and none is freed with its owner. */
const frames = new AsyncLocalStorage<Frame>();

export const currentFrame = (): Frame | undefined => frames.getStore();

findEffortBy(() => frames.getStore()?.effort);
findEndingBy(
  () => frames.getStore()?.ending?.(),
  (work) => frames.run({ scope: frames.getStore()?.scope }, work),
);

/** Runs work in the frame at hand, changed by `change`. */
export const runInFrame = <T>(change: Frame, work: () => T): T => frames.run({ ...frames.getStore(), ...change }, work);

/** The effort for what begins within the frame at hand: that of the request, or another of the job. */
export const nextEffort = (): Effort => {
  const effort = frames.getStore()?.effort ?? Effort.ofRequest();
  return effort.isOfStep ? Effort.ofStep() : effort;
};

/** A piece of work that a job does beside others of its kind, such as a row: it has an effort of its own. Within a request it has not. */
export const inStep = <T>(work: () => T): T => runInFrame({ effort: nextEffort() }, work);

/** Whether the running code is that of a job, where one row that cannot be done does not stop the others. */
export const isInJob = (): boolean => frames.getStore()?.effort?.isOfStep === true;
