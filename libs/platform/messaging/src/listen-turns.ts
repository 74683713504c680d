import { EventEmitter } from 'node:events';

/** A connection that listens, shared by all workers of a process. */
export interface ListenClient {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** What the driver says of a statement that was not answered in its time. */
const UNANSWERED = /\btimeout\b/i;

/**
 * Every worker subscribes through the one client; the driver wants one statement at a time. A client that does not answer is broken:
 * it says so, as one that loses its connection does, so that another one takes its place, and nobody waits for it any more.
 */
export function takeTurns(client: ListenClient): void {
  if (client instanceof EventEmitter) client.setMaxListeners(0);
  const query = client.query.bind(client);
  let last: Promise<unknown> = Promise.resolve();
  let broken: Error | undefined;
  const inTurn = (text: string, values?: unknown[]): Promise<unknown> => {
    const answer: Promise<unknown> = last.then(() => {
      if (broken) throw broken;
      return query(text, values);
    });
    last = answer.catch((error: unknown) => {
      if (broken || !(error instanceof Error) || !UNANSWERED.test(error.message)) return;
      broken = error;
      if (client instanceof EventEmitter) client.emit('error', error);
    });
    return answer;
  };
  Object.assign(client, { query: inTurn });
}
