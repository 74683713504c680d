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

/** What the running code works in: the request or job, and the unit of work that is open. */
export interface Frame {
  readonly scope?: CallScope;
  readonly unit?: OpenUnit;
  readonly doing?: Doing;
}

/** One for both, and one for the process: each storage there is costs every promise a little, and none is freed with its owner. */
const frames = new AsyncLocalStorage<Frame>();

export const currentFrame = (): Frame | undefined => frames.getStore();

/** Runs work in the frame at hand, changed by `change`. */
export const runInFrame = <T>(change: Frame, work: () => T): T => frames.run({ ...frames.getStore(), ...change }, work);
