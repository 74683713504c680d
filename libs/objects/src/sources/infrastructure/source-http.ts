import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import {
  busyProblem,
  GuardedHttp,
  isBusyStatus,
  OutboundRetries,
  type OutboundOptions,
  type OutboundStream,
  type Waiting,
} from '@atrium/platform/outbound';

/** A request, and who waits for it. */
export interface SourceRequest extends OutboundOptions, Waiting {
  readonly url: string;
  readonly signal: AbortSignal;
}

const REDIRECTS = 3;
const REASONS: Readonly<Record<number, string>> = {
  401: 'It rejects the credentials. Check osr_credentials.',
  403: 'It does not allow the request. Check osr_credentials.',
  404: 'The URL does not exist. Check osr_config.url.',
};

/** Asks a source, and again where it is busy, away or breaks off, as patiently as the retries say. */
@Injectable()
export class SourceHttp {
  constructor(
    private readonly http: GuardedHttp,
    private readonly retries: OutboundRetries,
  ) {}

  /** What `read` makes of a good answer; it is called again with the next answer when the first breaks off. */
  sendRequest<T>({ url, once, tried, waiting, ...options }: SourceRequest, read: (answer: OutboundStream) => Promise<T>): Promise<T> {
    return this.retries.askWithRetries({ signal: options.signal, once, tried, waiting }, async () => {
      const answer = await this.http.openStream(url, { redirects: REDIRECTS, ...options });
      if (answer.status >= 200 && answer.status < 300) return read(answer);
      answer.body.destroy();
      throw refusalOf(answer);
    });
  }
}

/** A status that is not good, as a problem; what passes is a fault of the other side, what does not is one of the settings. */
function refusalOf({ status, headers }: OutboundStream): Problem {
  if (isBusyStatus(status)) return busyProblem(`The source returned the status ${status}. Try again later.`, headers);
  return new Problem('unprocessable_content', `The source returned the status ${status}. ${REASONS[status] ?? 'Check osr_config.'}`);
}
