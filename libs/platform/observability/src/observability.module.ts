import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { createLogger } from './logger';
import { Metrics } from './metrics';
import type { Logger } from 'pino';

/** The process logger as an injectable. */
export abstract class AppLogger {}
export interface AppLogger extends Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'flush'> {}

@Global()
@Module({})
export class ObservabilityModule {
  static forApplication(service: string): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [Metrics, { provide: AppLogger, inject: [Settings], useFactory: (settings: Settings) => createLogger(settings.LOG_LEVEL, service) }],
      exports: [Metrics, AppLogger],
    };
  }
}
