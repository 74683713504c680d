import type { LoggerService } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import { createLogger, FrameworkLogger } from './logger';

/** The log of a host until its settings are read: the framework's warnings and errors then look like all later lines. */
export const startLogger = (service: string): LoggerService => new FrameworkLogger(createLogger('warn', service));

/** Reports why a host could not start, in one line of the same format as all others. */
export function reportStartFailure(service: string, error: unknown, destination?: DestinationStream): void {
  const reason = error instanceof Error ? error.message : String(error);
  createLogger('fatal', service, destination).fatal({ err: error }, reason);
}
