import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';

/** A service that is waited for, between two tries. */
export interface RetryWait {
  readonly tried: number;
  readonly leftMs: number;
}

/** Who waits for a service. */
export interface Waiting {
  readonly signal: AbortSignal;
  /** Asks once only. */
  readonly once?: boolean | undefined;
  /** How often the first question was asked before, in a run that was paused since. */
  readonly tried?: number | undefined;
  /** Called while the service is waited for; may end the wait by an error. */
  readonly waiting?: ((wait: RetryWait) => Promise<void>) | undefined;
}

const NAP_MS = 10 * SECOND;
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504]);

/** How patient a run is with a service that is busy or unavailable: six tries in all, with the pauses that it asks for. */
@Injectable()
export class OutboundRetries {
  readonly tries: number = 6;
  /** Before the second try; doubles with every further one. */
  readonly pauseMs: number = SECOND;
  /** What a service may ask for at most. */
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

  private async wait({ tried, leftMs }: RetryWait, signal: AbortSignal, waiting: Waiting['waiting']): Promise<void> {
    for (let left = Math.min(leftMs, this.longestMs); left > 0; left -= NAP_MS) {
      await waiting?.({ tried, leftMs: left });
      await pause(Math.min(left, NAP_MS), undefined, { signal });
    }
  }
}

/** Whether a status says that the same request may succeed later. */
export const isBusyStatus = (status: number): boolean => BUSY.has(status);

/** A status that may pass, as the problem that `OutboundRetries` tries again after the pause that the service asks for. */
export function busyProblem(detail: string, headers: Readonly<Record<string, string>>): Problem {
  const seconds = retryAfterSeconds(headers['retry-after']);
  return new Problem('upstream_failed', detail, { headers: seconds === undefined ? {} : { 'Retry-After': String(seconds) } });
}

/** The pause that a header `Retry-After` asks for, as seconds or as a date (RFC 9110). */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / SECOND);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

const mayPass = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'upstream_failed' || error.code === 'upstream_timeout');

function pauseOf(error: unknown): number | undefined {
  const seconds = error instanceof Problem ? error.headers['Retry-After'] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * SECOND;
}
