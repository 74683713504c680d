import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { AnswerInterceptor } from './answer.interceptor';
import { Drain } from './drain';
import { HealthController } from './health.controller';
import { OperatorListener } from './operator-listener';
import { Edge } from './request-edge';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { KeptOutcomes } from './kept-outcomes';

/** What every API host has besides its contexts: answers, idempotency, health. The order of the interceptors matters: the kept outcome is the handler's own, replayed or not its headers are made on the way out. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    Edge,
    Drain,
    OperatorListener,
    KeptOutcomes,
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [Edge],
})
export class HttpModule {}
