import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Duplex } from 'node:stream';

const gathering = new WeakSet<Duplex>();

/**
 * Sends a statement. Those of one turn of the event loop leave in one packet: a system call each is what a short
 * transaction costs most (ADR 2).
 */
export function send<R extends QueryResultRow = QueryResultRow>(client: PoolClient, statement: string | QueryConfig): Promise<QueryResult<R>> {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  if (!gathering.has(stream)) {
    gathering.add(stream);
    stream.cork();
    process.nextTick(() => {
      gathering.delete(stream);
      stream.uncork();
    });
  }
  return client.query<R>(statement as QueryConfig);
}
