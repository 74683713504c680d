import { RateLimits } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Global, Module } from '@nestjs/common';
import { RATE_ALLOWANCES, RateLimiter } from './rate-limiter';
import { allowancesOf } from './rate-policy';
import { OperatorRateLimitsController, RateLimitsController } from './rate-limits.controller';
import { RateCounters } from './rate-counters';
import { RedisRateCounters } from './redis-rate-counters';
import { SharedRateCounters } from './shared-rate-counters';

/** How many requests callers may make: counted in Redis where there is one, else in the processes and the database. */
@Global()
@Module({
  controllers: [RateLimitsController, OperatorRateLimitsController],
  providers: [
    RateLimiter,
    { provide: RateLimits, useExisting: RateLimiter },
    { provide: RATE_ALLOWANCES, inject: [Settings], useFactory: (settings: Settings) => allowancesOf(settings.RATE_LIMITS) },
    {
      provide: RateCounters,
      inject: [Settings, Database],
      useFactory: (settings: Settings, db: Database) =>
        settings.REDIS_URL ? new RedisRateCounters(settings.REDIS_URL, settings.API_INSTANCES) : new SharedRateCounters(db),
    },
  ],
  exports: [RateLimits],
})
export class RateLimitsModule {}
