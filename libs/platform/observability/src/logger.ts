import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';

const SECRETS = [
  'password',
  'token',
  'refresh_token',
  'access_token',
  'key_secret',
  'secret',
  'authorization',
  'x-api-key',
  'x-site-token',
  'cookie',
  'upl_url',
  'download_url',
  'invite_url',
];
/** From the top of a line down to three levels below it. */
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

/** Structured logs, one JSON object a line; fields that carry secrets are removed, down to three levels deep. */
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

/** The fields of a message: an object keeps its own (`{ msg, err, … }`), anything else becomes the text. */
function fieldsOf(message: unknown, more: object): object {
  if (message instanceof Error) return { ...more, err: message, msg: message.message };
  if (typeof message === 'object' && message !== null) return { ...more, ...message };
  return { ...more, msg: String(message) };
}

/** What the framework says, and what services say through its logger, through the same lines. */
export class FrameworkLogger implements LoggerService {
  constructor(private readonly logger: Pick<Logger, 'debug' | 'warn' | 'error'>) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug(fieldsOf(message, { context }));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn(fieldsOf(message, { context }));
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.logger.error(fieldsOf(message, { context, stack }));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug(fieldsOf(message, { context }));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.debug(fieldsOf(message, { context }));
  }
}
