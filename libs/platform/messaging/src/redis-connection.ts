import { once } from 'node:events';
import { apartFromRequest, onceForAll, SECOND } from '@atrium/platform/kernel';
import type { Redis, RedisOptions } from 'ioredis';

const LAST_RETRY_MS = SECOND;
const CONNECT_MS = SECOND;
const SILENCE_MS = SECOND;
const FIRST_WAIT_MS = SECOND;

/**
 * For commands that a request waits for: a server that says nothing for a second is left and its commands fail; until it is
 * back they fail at once, so that no request waits for it.
 */
export const PROMPT: RedisOptions = {
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  commandTimeout: SILENCE_MS,
  socketTimeout: SILENCE_MS,
};

/** For connections that outlive every outage: their commands wait until the server is back, on another connection if this one falls silent for longer than any command may block. */
export const patient = (longestCommandMs: number): RedisOptions => ({
  maxRetriesPerRequest: null,
  socketTimeout: longestCommandMs + 2 * SILENCE_MS,
});

/** A connection that comes back by itself, apart from the request that opens it. The driver is loaded when the first one is opened. */
export const openRedis = (url: string, name: string, options: RedisOptions = PROMPT): Promise<Redis> =>
  apartFromRequest(() => open(url, name, options));

async function open(url: string, name: string, options: RedisOptions): Promise<Redis> {
  const { Redis: Driver } = await import('ioredis');
  const connection = new Driver(url, {
    connectionName: `atrium-${name}`,
    connectTimeout: CONNECT_MS,
    keepAlive: 10 * SECOND,
    retryStrategy: (times) => Math.min(times * 100, LAST_RETRY_MS),
    ...options,
  });
  // Commands in flight fail with the reason; an event without a listener would end the process.
  connection.on('error', () => undefined);
  // The first commands wait a moment for the connection instead of failing before it is there.
  if (options.enableOfflineQueue === false)
    await once(connection, 'ready', { signal: AbortSignal.timeout(FIRST_WAIT_MS) }).catch(() => undefined);
  return connection;
}

/** Opens its connection with the first use and closes it when there was one. */
export class LazyRedis {
  private readonly connection = onceForAll(() => (this.opened = openRedis(this.url, this.name, this.options)));
  private opened: Promise<Redis> | undefined;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly name: string,
    private readonly options: RedisOptions = PROMPT,
  ) {}

  /** Once it is closed it is not opened again: a late message would keep the process from ending. */
  open(): Promise<Redis> {
    if (this.closed) return Promise.reject(new Error('The connection to Redis is closed.'));
    return this.connection();
  }

  async close(): Promise<void> {
    this.closed = true;
    (await this.opened?.catch(() => undefined))?.disconnect();
  }
}
