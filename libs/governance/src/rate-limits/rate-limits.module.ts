import { RateLimits } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Global, Module, type Provider } from '@nestjs/common';
import { RateCounters } from './rate-counters';
import { RATE_ALLOWANCES, RateLimiter } from './rate-limiter';
import { RateLimitRows } from './rate-limits.rows';
import { OperatorRateLimitsController, RateLimitsController } from './rate-limits.controller';
import { allowancesOf } from './rate-policy';
import { RedisRateCounters } from './redis-rate-counters';
import { SharedRateCounters } from './shared-rate-counters';

const RATE_LIMITS: Provider[] = [
  RateLimiter,
  RateLimitRows,
  { provide: RateLimits, useExisting: RateLimiter },
  { provide: RATE_ALLOWANCES, inject: [Settings], useFactory: (settings: Settings) => allowancesOf(settings.RATE_LIMITS) },
  {
    provide: RateCounters,
    inject: [Settings, RateLimitRows],
    useFactory: (settings: Settings, rows: RateLimitRows) =>
      settings.REDIS_URL ? new RedisRateCounters(settings.REDIS_URL, settings.API_INSTANCES) : new SharedRateCounters(rows),
  },
];

/** How many requests callers may make: counted in Redis where there is one, else in the processes and the database. The guards of all routes ask it. */
@Global()
@Module({ providers: RATE_LIMITS, exports: RATE_LIMITS })
class RateLimitsModule {}

/** Its routes. */
@Module({ imports: [RateLimitsModule], controllers: [RateLimitsController, OperatorRateLimitsController] })
export class RateLimitsHttpModule {}
