import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { onceForAll } from '@atrium/platform/kernel';
import { LazyRedis } from '@atrium/platform/messaging';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { FailureCounters, type FailureCount } from './failure-counters';

const PREFIX = 'atrium:sign-in';
/** The limits are judged elsewhere; here is only counted. */
const NO_LIMIT = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): FailureCount => ({
  count: consumedPoints,
  waitMs: Math.max(0, msBeforeNext),
});

/** Counters in Redis; while that is away each process counts for itself. */
@Injectable()
export class RedisFailureCounters extends FailureCounters implements OnApplicationShutdown {
  private readonly redis: LazyRedis;
  /** Away is away: nobody who signs in waits for Redis to come back. */
  private readonly open = onceForAll(
    async () =>
      new RateLimiterRedis({
        ...NO_LIMIT,
        storeClient: await this.redis.open(),
        keyPrefix: PREFIX,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ ...NO_LIMIT, keyPrefix: PREFIX }),
      }),
  );

  constructor(url: string) {
    super();
    this.redis = new LazyRedis(url, 'sign-in');
  }

  async readCounters(names: readonly string[]): Promise<ReadonlyMap<string, FailureCount>> {
    const limiter = await this.open();
    const counts = await Promise.all(names.map(async (name) => [name, await limiter.get(name)] as const));
    return new Map(counts.flatMap(([name, count]) => (count ? [[name, countOf(count)] as const] : [])));
  }

  async incrementCounter(name: string, lifeMs: number): Promise<FailureCount> {
    return countOf(await (await this.open()).penalty(name, 1, { customDuration: lifeMs / 1_000 }));
  }

  async setCounter(name: string, count: number, lifeMs: number): Promise<void> {
    await (await this.open()).set(name, count, lifeMs / 1_000);
  }

  async clearCounters(names: readonly string[]): Promise<void> {
    const limiter = await this.open();
    await Promise.all(names.map((name) => limiter.delete(name)));
  }

  onApplicationShutdown(): Promise<void> {
    return this.redis.close();
  }
}
