import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { createLogger } from './logger';
import { Metrics } from './metrics';
import { ProbeListener } from './probe-listener';
import { LoopWatch } from './watchdog/loop-watch';
import type { Logger } from 'pino';

/** The process logger as an injectable. */
export abstract class AppLogger {}
export interface AppLogger extends Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'flush' | 'isLevelEnabled'> {}

@Global()
@Module({})
export class ObservabilityModule {
  /** With `probes`, for a host that has no API, health and metrics are served on a port of their own. */
  static forApplication(service: string, { probes = false } = {}): DynamicModule {
    const served = probes ? [ProbeListener] : [];
    return {
      module: ObservabilityModule,
      providers: [
        Metrics,
        LoopWatch,
        ...served,
        { provide: AppLogger, inject: [Settings], useFactory: (settings: Settings) => createLogger(settings.LOG_LEVEL, service) },
      ],
      exports: [Metrics, LoopWatch, AppLogger, ...served],
    };
  }
}
