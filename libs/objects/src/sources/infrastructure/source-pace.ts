import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import type { SourceWait } from '../domain/source-port';
import { setTimeout as pause } from 'node:timers/promises';

/** Who waits for a source. */
export interface Waiting {
  readonly signal: AbortSignal;
  /** Asks once only. */
  readonly once?: boolean | undefined;
  /** How often the first question was asked before, in a run that was paused since. */
  readonly tried?: number | undefined;
  /** Called while the source is waited for; may end the wait by an error. */
  readonly waiting?: ((wait: SourceWait) => Promise<void>) | undefined;
}

const NAP_MS = 10 * SECOND;

/** How patient a run is with a source that is busy or away: six tries in all, with the pauses that it asks for. */
export class SourcePace {
  readonly tries: number = 6;
  /** Before the second try; doubles with every further one. */
  readonly pauseMs: number = SECOND;
  /** What a source may ask for at most. */
  readonly longestMs: number = 5 * MINUTE;

  /** What a question answers; it is asked again where the fault is one that passes. */
  async askWithRetries<T>({ signal, once = false, tried: before = 0, waiting }: Waiting, question: () => Promise<T>): Promise<T> {
    for (let tried = before + 1; ; tried++) {
      try {
        return await question();
      } catch (error) {
        signal.throwIfAborted();
        if (once || tried >= this.tries || !mayPass(error)) throw error;
        await this.wait({ tried, leftMs: pauseOf(error) ?? this.pauseMs * 2 ** (tried - 1) }, signal, waiting);
      }
    }
  }

  private async wait({ tried, leftMs }: SourceWait, signal: AbortSignal, waiting: Waiting['waiting']): Promise<void> {
    for (let left = Math.min(leftMs, this.longestMs); left > 0; left -= NAP_MS) {
      await waiting?.({ tried, leftMs: left });
      await pause(Math.min(left, NAP_MS), undefined, { signal });
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'upstream_failed' || error.code === 'upstream_timeout');

function pauseOf(error: unknown): number | undefined {
  const seconds = error instanceof Problem ? error.headers['Retry-After'] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * SECOND;
}
