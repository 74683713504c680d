import { Injectable } from '@nestjs/common';
import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { GuardedHttp, type OutboundOptions, type OutboundStream } from '@atrium/platform/outbound';
import { setTimeout as pause } from 'node:timers/promises';

/** How patient a run is with a source that is busy or away. */
export class SourcePace {
  readonly tries: number = 6;
  /** Before the second try; doubles with every further one. */
  readonly pauseMs: number = SECOND;
  /** What a source may ask for at most. */
  readonly longestMs: number = 5 * MINUTE;
}

/** A request, and who waits for it. */
export interface SourceRequest extends OutboundOptions {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly once?: boolean | undefined;
  readonly waiting?: (() => Promise<void>) | undefined;
}

const NAP_MS = 10 * SECOND;
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504]);
const REDIRECTS = 3;
const REASONS: Readonly<Record<number, string>> = {
  401: 'It does not know the credentials. Check osr_credentials.',
  403: 'It does not allow the request. Check osr_credentials.',
  404: 'There is nothing at the address. Check osr_config.url.',
};

/** Asks a source, and again where it is busy, away or breaks off: six times in all, with the pauses that it asks for. */
@Injectable()
export class SourceHttp {
  constructor(
    private readonly http: GuardedHttp,
    private readonly pace: SourcePace,
  ) {}

  /** What `read` makes of a good answer; it is called again with the next answer when the first breaks off. */
  async ask<T>({ url, once = false, waiting, ...options }: SourceRequest, read: (answer: OutboundStream) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        const answer = await this.http.open(url, { redirects: REDIRECTS, ...options });
        if (answer.status >= 200 && answer.status < 300) return await read(answer);
        answer.body.destroy();
        throw refusalOf(answer);
      } catch (error) {
        options.signal.throwIfAborted();
        if (once || tried >= this.pace.tries || !mayPass(error)) throw error;
        await this.wait(pauseOf(error) ?? this.pace.pauseMs * 2 ** (tried - 1), options.signal, waiting);
      }
    }
  }

  private async wait(pauseMs: number, signal: AbortSignal, waiting: (() => Promise<void>) | undefined): Promise<void> {
    for (let left = Math.min(pauseMs, this.pace.longestMs); left > 0; left -= NAP_MS) {
      await pause(Math.min(left, NAP_MS), undefined, { signal });
      await waiting?.();
    }
  }
}

/** A status that is not good, as a problem; what passes is a fault of the other side, what does not is one of the settings. */
function refusalOf({ status, headers }: OutboundStream): Problem {
  const seconds = retryAfter(headers['retry-after']);
  if (BUSY.has(status))
    return new Problem('upstream_failed', `The source answers ${status}. Try again later.`, {
      headers: seconds === undefined ? {} : { 'Retry-After': String(seconds) },
    });
  return new Problem('unprocessable_content', `The source answers ${status}. ${REASONS[status] ?? 'Check osr_config.'}`);
}

const mayPass = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'upstream_failed' || error.code === 'upstream_timeout');

function pauseOf(error: unknown): number | undefined {
  const seconds = error instanceof Problem ? error.headers['Retry-After'] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * SECOND;
}

/** Seconds, or a date (RFC 9110). */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / SECOND);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
