import { Injectable } from '@nestjs/common';
import { Problem, SECOND } from '@atrium/platform/kernel';
import { GuardedHttp, type OutboundOptions, type OutboundStream } from '@atrium/platform/outbound';
import { SourcePace, type Waiting } from './source-pace';

/** A request, and who waits for it. */
export interface SourceRequest extends OutboundOptions, Waiting {
  readonly url: string;
  readonly signal: AbortSignal;
}

const BUSY = new Set([408, 425, 429, 500, 502, 503, 504]);
const REDIRECTS = 3;
const REASONS: Readonly<Record<number, string>> = {
  401: 'It rejects the credentials. Check osr_credentials.',
  403: 'It does not allow the request. Check osr_credentials.',
  404: 'The URL does not exist. Check osr_config.url.',
};

/** Asks a source, and again where it is busy, away or breaks off, as patiently as its pace says. */
@Injectable()
export class SourceHttp {
  constructor(
    private readonly http: GuardedHttp,
    private readonly pace: SourcePace,
  ) {}

  /** What `read` makes of a good answer; it is called again with the next answer when the first breaks off. */
  sendRequest<T>({ url, once, tried, waiting, ...options }: SourceRequest, read: (answer: OutboundStream) => Promise<T>): Promise<T> {
    return this.pace.askWithRetries({ signal: options.signal, once, tried, waiting }, async () => {
      const answer = await this.http.openStream(url, { redirects: REDIRECTS, ...options });
      if (answer.status >= 200 && answer.status < 300) return read(answer);
      answer.body.destroy();
      throw refusalOf(answer);
    });
  }
}

/** A status that is not good, as a problem; what passes is a fault of the other side, what does not is one of the settings. */
function refusalOf({ status, headers }: OutboundStream): Problem {
  const seconds = retryAfter(headers['retry-after']);
  if (BUSY.has(status))
    return new Problem('upstream_failed', `The source returned the status ${status}. Try again later.`, {
      headers: seconds === undefined ? {} : { 'Retry-After': String(seconds) },
    });
  return new Problem('unprocessable_content', `The source returned the status ${status}. ${REASONS[status] ?? 'Check osr_config.'}`);
}

/** Seconds, or a date (RFC 9110). */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / SECOND);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
