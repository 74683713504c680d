type Apart = <T>(work: () => T) => T;

let atHand = (): AbortSignal | undefined => undefined;
let leaving: Apart = (work) => work();

/**
 * Names the place where the signal of the running request or job is, and how work leaves it; what it answers names the former
 * ones again.
 */
export function findEndingBy(find: () => AbortSignal | undefined, apart: Apart = leaving): () => void {
  const before = [atHand, leaving] as const;
  [atHand, leaving] = [find, apart];
  return () => {
    [atHand, leaving] = before;
  };
}

/**
 * Runs work that is for others too, such as a reader that many share, a cache or its timer: it does not end with the request or job
 * that happens to begin it, and spends nothing of what that may compute. The scope stays.
 */
export const apartFromRequest: Apart = (work) => leaving(work);

/**
 * What is made with its first use, for all who use it from then on and apart from the request that is the first. After a failure
 * it is made again with the next use.
 */
export function onceForAll<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made) return made;
    const making = apartFromRequest(async () => make());
    making.catch(() => (made = undefined));
    return (made = making);
  };
}

/** Aborted when nobody waits for the outcome of the running request or job any more; undefined outside of both. */
export const currentEnding = (): AbortSignal | undefined => atHand();

/** Why a signal was aborted, as an error. */
export const reasonOf = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : new Error('The work was stopped.'));

/** Calls `end` when the signal is aborted; what it answers forgets that, for a signal may outlive what waits for it. */
export function onEnding(signal: AbortSignal | undefined, end: (reason: Error) => void): () => void {
  if (!signal) return () => undefined;
  const listener = (): void => end(reasonOf(signal));
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
