import type { BackendFactory, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import { takeTurns } from './listen-turns';
import { BullQueues, type Queues, type QueueTiming } from './queue-backend';
import { QueueWatch, type QueueSnapshot } from './queue-watch';
import { QUEUE_SCHEMA } from './queue-schema';

type Bull = typeof import('bullmq');
type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

const POOL = 6;
const RETRY_MS = 500;
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 5_000;
/** All statements on the queue's tables are short; a worker whose server is frozen repeats them on another connection. */
const ANSWER_MS = 10_000;
/** What a worker does not hear of, the glance at all queues finds; each asks for itself this rarely. */
const ASK_EACH_SECONDS = 600;

/**
 * Queues in PostgreSQL. All queues and workers of a process share one pool and one listening connection; BullMQ would
 * open both once a queue and once more a worker.
 */
export async function openPostgresQueues(bull: Bull, url: string, timing: QueueTiming): Promise<Queues> {
  const { connection, end } = sharedConnection(bull, url);
  await connection.waitUntilReady();
  const Backend = patientBackend(bull, new QueueWatch(() => glanceAt(connection.pool), timing.stalledCheckMs));
  const factory: BackendFactory<PostgresQueueBackend, PostgresConnection> = (name, options) =>
    new Backend(options.connection, name, { ...options, connection: options.connection.pool });
  return new BullQueues(
    {
      classes: bull.withBackend(factory),
      forQueues: connection,
      forWorkers: connection,
      drainDelaySeconds: ASK_EACH_SECONDS,
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

/**
 * What is in all queues: as many rows as jobs wait and run, which are few. Each state has a partial index of its own, and a condition
 * across states would read the whole table, the jobs that are done included.
 */
async function glanceAt(pool: PostgresConnection['pool']): Promise<QueueSnapshot> {
  const { rows } = await pool.query<{ queue: string; running: boolean; claimable: boolean }>(
    `SELECT queue, bool_or(running) AS running, bool_or(claimable) AS claimable FROM (
       SELECT queue, true AS running, false AS claimable FROM job WHERE state = 'active'
       UNION ALL SELECT queue, stalled_marked, true FROM job WHERE state = 'waiting'
       UNION ALL SELECT queue, stalled_marked, process_at_ms <= $1 FROM job WHERE state = 'delayed'
     ) jobs GROUP BY queue`,
    [Date.now()],
  );
  const queuesThat = (are: 'running' | 'claimable'): Set<string> => new Set(rows.flatMap((row) => (row[are] ? [row.queue] : [])));
  return { running: queuesThat('running'), claimable: queuesThat('claimable') };
}

/**
 * A server that restarts answers at once, with errors; without a pause the workers' loops would spin until it is back. What each worker
 * would ask of its queue every few seconds is asked once for all of them.
 */
function patientBackend(bull: Bull, queues: QueueWatch): typeof PostgresQueueBackend {
  return class PatientBackend extends bull.PostgresQueueBackend {
    private isLeaving = false;
    private readonly waiting = { queue: this.queueName, wake: () => this.wake() };

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

    /** Only jobs that run can have lost their worker. */
    override async moveStalledJobsToWait(): ReturnType<PostgresQueueBackend['moveStalledJobsToWait']> {
      return (await queues.hasRunning(this.queueName)) ? super.moveStalledJobsToWait() : [];
    }

    override async waitForJob(...args: Parameters<PostgresQueueBackend['waitForJob']>): ReturnType<PostgresQueueBackend['waitForJob']> {
      queues.add(this.waiting);
      try {
        return await super.waitForJob(...args);
      } finally {
        queues.remove(this.waiting);
      }
    }

    override disconnectBlocking(...args: Parameters<PostgresQueueBackend['disconnectBlocking']>): Promise<void> {
      this.isLeaving = true;
      return super.disconnectBlocking(...args);
    }

    override reconnectBlocking(): Promise<void> {
      this.isLeaving = false;
      return super.reconnectBlocking();
    }

    /** Ends the wait, and listens again with the next one, should that have been lost. */
    private wake(): void {
      if (this.isLeaving) return;
      void super.disconnectBlocking();
      void super.reconnectBlocking();
    }
  };
}
