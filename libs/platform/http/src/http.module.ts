import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { AnswerInterceptor } from './answer.interceptor';
import { Drain } from './drain';
import { HealthController } from './health.controller';
import { OperatorListener } from './operator-listener';
import { Edge } from './request-edge';
import { IdempotencyInterceptor } from './idempotency.interceptor';

/** What every API host has besides its contexts: answers, idempotency, health. The order of the interceptors matters: the kept outcome is the handler's, the ETag is set on the way out. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    Edge,
    Drain,
    OperatorListener,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
  ],
  exports: [Edge],
})
export class HttpModule {}
