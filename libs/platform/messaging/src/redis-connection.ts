import type { Redis, RedisOptions } from 'ioredis';

const LAST_RETRY_MS = 2_000;

/** A connection that comes back by itself. The driver is loaded when the first one is opened. */
export async function openRedis(url: string, name: string, options: RedisOptions = {}): Promise<Redis> {
  const { Redis: Driver } = await import('ioredis');
  const connection = new Driver(url, { connectionName: `atrium-${name}`, retryStrategy: (times) => Math.min(times * 100, LAST_RETRY_MS), ...options });
  // Commands in flight fail with the reason; an event without a listener would end the process.
  connection.on('error', () => undefined);
  return connection;
}

/** Opens its connection with the first use and closes it when there was one. */
export class LazyRedis {
  private opened: Promise<Redis> | undefined;

  constructor(
    private readonly url: string,
    private readonly name: string,
    private readonly options: RedisOptions = { maxRetriesPerRequest: 3 },
  ) {}

  open(): Promise<Redis> {
    return (this.opened ??= openRedis(this.url, this.name, this.options));
  }

  async close(): Promise<void> {
    (await this.opened)?.disconnect();
  }
}
