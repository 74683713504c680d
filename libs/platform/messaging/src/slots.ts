/** A kind with so many runs at once has short ones among them: a few more are there for when one ends before a relay has found the next. */
const MANY = 4;
const AT_HAND = 2;
/** The slots of a kind of job are so many times what one workspace may have of them (ADR 42). */
const SHARES = 2;

/** Jobs that one workspace has in a worker at once, waiting in the queue or running. */
export const shareOf = (concurrency: number): number => (concurrency < MANY ? concurrency : concurrency + AT_HAND);

/** Jobs that a worker runs at once: half of them are left to other workspaces, whatever one does. */
export const slotsOf = (concurrency: number): number => SHARES * shareOf(concurrency);
