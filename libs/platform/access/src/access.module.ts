import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Clock, Ids, SystemClock, TimeOrderedIds } from '@atrium/platform/kernel';
import { AccessGuard } from './access.guard';
import { OperatorGate } from './operator-gate';
import { RoutePolicies } from './route-policies';
import { ApiKeyStrategy, BearerStrategy } from './strategies';

/** Clock and ids, for every host. */
@Global()
@Module({
  providers: [
    { provide: Clock, useClass: SystemClock },
    { provide: Ids, useClass: TimeOrderedIds },
  ],
  exports: [Clock, Ids],
})
export class ClockModule {}

/** The guard of all routes. A context above provides the `CallerDirectory`. */
@Module({
  imports: [DiscoveryModule],
  providers: [ApiKeyStrategy, BearerStrategy, OperatorGate, RoutePolicies, { provide: APP_GUARD, useClass: AccessGuard }],
  exports: [OperatorGate, RoutePolicies],
})
export class AccessModule {}
