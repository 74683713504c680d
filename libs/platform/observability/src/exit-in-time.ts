import type { Logger } from 'pino';

/**
 * Ends the process that long after a signal has asked it to, whatever still waits: an external service that is frozen must not keep a
 * stopped host from ending. What it did is taken over as that of a host that was lost.
 */
export function exitInTime(signals: readonly NodeJS.Signals[], limitMs: number, logger: Pick<Logger, 'fatal'>): void {
  for (const signal of signals)
    process.once(signal, () => {
      setTimeout(() => {
        logger.fatal({ signal, limit_ms: limitMs }, 'the host did not end in time');
        process.exit(1);
      }, limitMs).unref();
    });
}
