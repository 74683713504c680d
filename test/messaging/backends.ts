import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { QUEUE_SCHEMA, type QueueAddress } from '@atrium/platform/messaging';
import { freePort, ofThisFile, type TestDatabase } from '@atrium/platform/testing';
import { REDIS_PROGRAM } from '../support/redis-server';

/** One of the two places queues, signals and streams can live in, as a contract test needs it. */
export interface ContractBackend {
  readonly address: QueueAddress;
  /** Loses everything that is queued. */
  flush(): Promise<void>;
  /** Cuts the connections that listen for signals. */
  cutListeners(): Promise<void>;
  stop(): Promise<void>;
}

export function postgresBackend(database: TestDatabase): ContractBackend {
  const run = async (connectionString: string, text: string): Promise<void> => {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  return {
    address: { redisUrl: '', databaseUrl: database.appUrl },
    flush: () => run(database.ownerUrl, `DELETE FROM ${QUEUE_SCHEMA}.job`),
    cutListeners: () =>
      run(
        database.appUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'atrium-signals'`,
      ),
    stop: async () => undefined,
  };
}

/** Redis: the one that runs at the address, else one started for the test. */
export async function redisBackend(database: TestDatabase, running: string | undefined): Promise<ContractBackend> {
  const { url, program } = running ? { url: running, program: undefined } : await startRedis();
  const redis = new Redis(url);
  return {
    address: { redisUrl: url, databaseUrl: database.appUrl },
    flush: async () => void (await redis.flushall()),
    cutListeners: async () => void (await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    stop: async () => {
      redis.disconnect();
      if (!program) return;
      const gone = once(program, 'exit');
      program.kill('SIGKILL');
      await gone;
    },
  };
}

async function startRedis(): Promise<{ url: string; program: ChildProcess }> {
  const port = await freePort();
  const program = ofThisFile(
    spawn(
      REDIS_PROGRAM ?? 'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  );
  await new Promise<void>((resolve, reject) => {
    program.once('exit', () => reject(new Error('redis-server did not start.')));
    program.stdout?.on('data', (text: Buffer) => {
      if (/ready to accept connections/i.test(text.toString())) resolve();
    });
  });
  return { url: `redis://127.0.0.1:${port}`, program };
}
