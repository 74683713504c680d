import type { OnApplicationShutdown } from '@nestjs/common';
import { onceForAll } from '@atrium/platform/kernel';
import { LazyRedis, PROMPT } from '@atrium/platform/messaging';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { RateCounters, type RateCount } from './rate-counters';

const WINDOW = { points: Number.MAX_SAFE_INTEGER, duration: 60, keyPrefix: 'atrium:rate' };

/**
 * Counters in Redis; the keys of one request go in one packet. While Redis is away each process counts for itself, every
 * hit as many times as there are processes, so that together they stay within the limits.
 */
export class RedisRateCounters extends RateCounters implements OnApplicationShutdown {
  private readonly redis: LazyRedis;
  private readonly open = onceForAll(
    async () => new RateLimiterRedis({ ...WINDOW, storeClient: await this.redis.open(), rejectIfRedisNotReady: true }),
  );
  private readonly insurance = new RateLimiterMemory(WINDOW);

  constructor(
    url: string,
    private readonly instances: number,
  ) {
    super();
    this.redis = new LazyRedis(url, 'rates', { ...PROMPT, enableAutoPipelining: true });
  }

  async incrementCounters(keys: readonly string[]): Promise<readonly RateCount[]> {
    const limiter = await this.open();
    return Promise.all(
      keys.map((key) => limiter.penalty(key).then(countOf, () => this.insurance.penalty(key, this.instances).then(countOf))),
    );
  }

  undoHits(keys: readonly string[]): void {
    const taking = this.open().then((limiter) =>
      Promise.all(keys.map((key) => limiter.reward(key).catch(() => this.insurance.reward(key, this.instances)))),
    );
    // What cannot be taken back counts until the minute ends.
    taking.catch(() => undefined);
  }

  async readCounters(keys: readonly string[]): Promise<readonly RateCount[]> {
    const limiter = await this.open();
    return Promise.all(keys.map((key) => limiter.get(key).then(countOf, () => this.insurance.get(key).then(countOf))));
  }

  onApplicationShutdown(): Promise<void> {
    return this.redis.close();
  }
}

const countOf = (result: RateLimiterRes | null): RateCount => ({
  count: result?.consumedPoints ?? 0,
  resetMs: Math.max(0, result?.msBeforeNext ?? 0),
});
