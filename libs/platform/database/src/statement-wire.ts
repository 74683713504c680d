import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Duplex } from 'node:stream';

/** Streams that hold statements back, and until when: this turn of the event loop or the whole of its phase. */
const gathering = new WeakMap<Duplex, 'turn' | 'phase'>();

const streamOf = (client: PoolClient): Duplex => (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/**
 * Sends a statement. Those of one turn of the event loop leave in one packet: a system call each is what a short
 * transaction costs most (ADR 2).
 */
export function send<R extends QueryResultRow = QueryResultRow>(
  client: PoolClient,
  statement: string | QueryConfig,
): Promise<QueryResult<R>> {
  const stream = streamOf(client);
  const held = gathering.get(stream);
  if (held === undefined) stream.cork();
  if (held !== 'turn') {
    gathering.set(stream, 'turn');
    process.nextTick(release, stream);
  }
  return client.query<R>(statement as QueryConfig);
}

/** Sends a statement that is not awaited: it leaves with the next one of this connection, or when the event loop has nothing else at hand. */
export function sendWithNext(client: PoolClient, statement: string): void {
  const stream = streamOf(client);
  if (!gathering.has(stream)) {
    stream.cork();
    gathering.set(stream, 'phase');
    setImmediate(() => {
      if (gathering.get(stream) === 'phase') release(stream);
    });
  }
  client.query(statement).catch(() => undefined);
}

function release(stream: Duplex): void {
  gathering.delete(stream);
  stream.uncork();
}
