import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Metrics } from '@atrium/platform/observability';
import { LazyRedis } from './redis-connection';

/** Reports to the metrics whether this process reaches Redis, asked whenever they are read. */
@Injectable()
export class RedisGauge implements OnApplicationShutdown {
  private readonly redis: LazyRedis | undefined;

  constructor(settings: Settings, @Optional() metrics?: Metrics) {
    if (!settings.REDIS_URL || !metrics) return;
    const redis = (this.redis = new LazyRedis(settings.REDIS_URL, 'gauge'));
    metrics.beforeScrape(async () => {
      const isThere = await redis
        .open()
        .then((connection) => connection.ping())
        .then(
          () => true,
          () => false,
        );
      metrics.redisUp.set(isThere ? 1 : 0);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.redis?.close();
  }
}
