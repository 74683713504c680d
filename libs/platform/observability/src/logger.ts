import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';

const SECRETS = ['password', 'token', 'refresh_token', 'access_token', 'key_secret', 'secret', 'authorization', 'x-api-key', 'cookie', 'upl_url', 'download_url', 'invite_url'];
/** From the top of a line down to three levels below it. */
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

/** Structured logs, one JSON object a line; fields that carry secrets are removed wherever they stand, down to three levels deep. */
export const createLogger = (level: string, service: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: DEPTHS.flatMap((depth) => SECRETS.map((name) => `${depth.slice(0, -1)}["${name}"]`)), censor: '[redacted]' },
    },
    destination,
  );

/** The framework's own messages through the same logger. */
export class FrameworkLogger implements LoggerService {
  constructor(private readonly logger: Pick<Logger, 'debug' | 'warn' | 'error'>) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    if (message instanceof Error) this.logger.error({ context, err: message }, message.message);
    else this.logger.error({ context, stack }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }
}
