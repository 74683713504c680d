let atHand = (): AbortSignal | undefined => undefined;

/** Names the place where the signal of the running request or job is; what it answers names the former one again. */
export function findEndingBy(find: () => AbortSignal | undefined): () => void {
  const before = atHand;
  atHand = find;
  return () => {
    atHand = before;
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
