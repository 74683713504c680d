import { Module, type Provider } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { FailureCounters } from './failure-counters';
import { PostgresFailureCounters } from './postgres-failure-counters.repository';
import { RedisFailureCounters } from './redis-failure-counters';
import { SignInThrottle } from './sign-in-throttle';

/** Failures of sign-in are counted where all processes see them. */
const FAILURE_COUNTERS: Provider = {
  provide: FailureCounters,
  useFactory: ({ REDIS_URL }: Settings, db: Database): FailureCounters =>
    REDIS_URL ? new RedisFailureCounters(REDIS_URL) : new PostgresFailureCounters(db),
  inject: [Settings, Database],
};

const THROTTLE: Provider[] = [FAILURE_COUNTERS, SignInThrottle];

/** How failures to prove something are counted, and who must wait after how many. */
@Module({ providers: THROTTLE, exports: THROTTLE })
export class ThrottleModule {}
