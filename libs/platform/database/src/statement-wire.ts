import type { PoolClient, QueryResultRow } from 'pg';
import { Flight, Asked, type Answer, type Statement } from './flight';

/** Statements that a connection is about to send, and until when they are held back: this turn of the event loop or the whole of its phase. */
interface Gathering {
  readonly statements: Asked[];
  until: 'turn' | 'phase';
}

const gathering = new WeakMap<PoolClient, Gathering>();

/**
 * Sends a statement. Those of one turn of the event loop leave together, as one flight: system calls and the waking of
 * processes are what a short transaction costs most (ADR 2). Behind one that fails PostgreSQL runs none of them.
 */
export function sendStatement<R extends QueryResultRow = QueryResultRow>(client: PoolClient, statement: Statement): Promise<Answer<R>> {
  return new Promise((resolve, reject) => {
    const fetchNext = (asked: Asked): void => void client.query(new Flight([asked]));
    const held = hold(client, new Asked(statement, resolve as (answer: Answer<QueryResultRow>) => void, reject, fetchNext), 'turn');
    if (held.until === 'turn' && held.statements.length > 1) return;
    held.until = 'turn';
    process.nextTick(release, client, held);
  });
}

/** Sends a statement that is not awaited: it leaves with the next one of this connection, or when the event loop has nothing else at hand. */
export function sendWithNext(client: PoolClient, statement: Statement): void {
  const held = hold(client, new Asked(statement), 'phase');
  if (held.until === 'phase' && held.statements.length === 1) setImmediate(release, client, held, 'phase');
}

/** Sends a statement by itself, behind all that was to be sent before it: it runs also when those fail. */
export function sendAlone<R extends QueryResultRow = QueryResultRow>(client: PoolClient, statement: Statement): Promise<Answer<R>> {
  const before = gathering.get(client);
  if (before) release(client, before);
  const sent = sendStatement<R>(client, statement);
  const held = gathering.get(client);
  if (held) release(client, held);
  return sent;
}

function hold(client: PoolClient, asked: Asked, until: Gathering['until']): Gathering {
  const held = gathering.get(client) ?? { statements: [], until };
  held.statements.push(asked);
  gathering.set(client, held);
  return held;
}

function release(client: PoolClient, held: Gathering, until?: Gathering['until']): void {
  // What was held for a phase may have left with a turn, and another gathering may have begun.
  if (gathering.get(client) !== held || (until !== undefined && held.until !== until)) return;
  gathering.delete(client);
  client.query(new Flight(held.statements));
}
