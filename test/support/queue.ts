import { RedisServer } from './redis-server';

/** Where queues and signals of a test file live: in its PostgreSQL, or with TEST_QUEUE=redis in a Redis of the file. */
export class TestQueue {
  private static server: Promise<RedisServer> | undefined;

  /** The settings of a host, and whether the caller is the first and so has to stop the server. */
  static async settings(): Promise<{ readonly environment: Readonly<Record<string, string>>; readonly isFirst: boolean }> {
    if (process.env.TEST_QUEUE !== 'redis') return { environment: {}, isFirst: false };
    const isFirst = !this.server;
    const { url } = await (this.server ??= RedisServer.start());
    return { environment: { REDIS_URL: url }, isFirst };
  }

  static async stop(): Promise<void> {
    await (await this.server)?.stop();
    this.server = undefined;
  }
}
