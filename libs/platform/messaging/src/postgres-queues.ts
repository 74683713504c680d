import { EventEmitter } from 'node:events';
import type { BackendFactory, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import { BullQueues, type Queues, type QueueTiming } from './queue-backend';
import { QUEUE_SCHEMA } from './queue-schema';

type Bull = typeof import('bullmq');
type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

const POOL = 6;
const RETRY_MS = 500;
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 5_000;
/** All statements on the queue's tables are short; a worker whose server is frozen repeats them on another connection. */
const ANSWER_MS = 10_000;

/**
 * Queues in PostgreSQL. All queues and workers of a process share one pool and one listening connection; BullMQ would
 * open both once a queue and once more a worker.
 */
export async function openPostgresQueues(bull: Bull, url: string, timing: QueueTiming): Promise<Queues> {
  const { connection, end } = sharedConnection(bull, url);
  await connection.waitUntilReady();
  const Backend = patientBackend(bull);
  const factory: BackendFactory<PostgresQueueBackend, PostgresConnection> = (name, options) =>
    new Backend(options.connection, name, { ...options, connection: options.connection.pool });
  return new BullQueues(
    {
      classes: bull.withBackend(factory),
      forQueues: connection,
      forWorkers: connection,
      drainDelaySeconds: 30,
      prefixOf: () => undefined,
      check: () => connection.pool.query('SELECT 1 FROM job LIMIT 1'),
      renew: () => undefined,
      close: end,
    },
    bull,
    timing,
  );
}

/** A connection that stays when queues and workers close, one by one, what they take for theirs. */
function sharedConnection(bull: Bull, url: string): { connection: PostgresConnection; end: () => Promise<void> } {
  class SharedConnection extends bull.PostgresConnection {
    private readonly orderly = new WeakSet<object>();

    override async close(): Promise<void> {}

    override async disconnect(): Promise<void> {}

    override async getListenClient(): Promise<ListenClient> {
      const client = await super.getListenClient();
      if (!this.orderly.has(client)) takeTurns(client);
      this.orderly.add(client);
      return client;
    }

    end(): Promise<void> {
      return super.close();
    }
  }
  const connection = new SharedConnection({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    application_name: 'atrium-queue',
    max: POOL,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  connection.setMaxListeners(0);
  return { connection, end: () => connection.end() };
}

/** Every worker subscribes through the one listening client; the driver wants one statement at a time. */
function takeTurns(client: ListenClient): void {
  if (client instanceof EventEmitter) client.setMaxListeners(0);
  const query = client.query.bind(client);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (text: string, values?: unknown[]): Promise<unknown> => {
    const answer: Promise<unknown> = last.then(() => query(text, values));
    last = answer.catch(() => undefined);
    return answer;
  };
  Object.assign(client, { query: inTurn });
}

/** A server that restarts answers at once, with errors; without a pause the workers' loops would spin until it is back. */
function patientBackend(bull: Bull): typeof PostgresQueueBackend {
  return class PatientBackend extends bull.PostgresQueueBackend {
    override async moveToActive(
      ...args: Parameters<PostgresQueueBackend['moveToActive']>
    ): ReturnType<PostgresQueueBackend['moveToActive']> {
      try {
        return await super.moveToActive(...args);
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        throw error;
      }
    }
  };
}
