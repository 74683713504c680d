import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AnswerGuard } from './answer.guard';
import { BodyIntake } from './body-intake';
import { CrossOrigin } from './cross-origin';
import { Drain } from './drain';
import { HealthController } from './health.controller';
import { LoadGuard } from './load.guard';
import { OperatorListener } from './operator-listener';
import { Edge } from './request-edge';
import { RequestLog } from './request-log';
import { StruckRequests } from './struck-requests';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IdempotentOutcomes } from './idempotent-outcomes';

/** What every API host has besides its contexts: answers, idempotency, health. The kept outcome is the handler's own: replayed or not, its headers are made on the way out. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    Edge,
    RequestLog,
    CrossOrigin,
    Drain,
    OperatorListener,
    IdempotentOutcomes,
    IdempotencyInterceptor,
    BodyIntake,
    StruckRequests,
    { provide: APP_GUARD, useClass: LoadGuard },
    { provide: APP_GUARD, useClass: AnswerGuard },
  ],
  exports: [Edge],
})
export class HttpModule {}
