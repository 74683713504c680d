import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { MINUTE, outageIn, Problem, SECOND } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { GuardedHttp, type OutboundAnswer, type OutboundHead, type OutboundStream } from '@atrium/platform/outbound';
import { ModelRefusal } from '../domain/model-refusal';
import { NotAsked } from '../domain/not-asked';

/** One question to a model provider. */
export interface ModelRequest {
  readonly provider: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
  /** Times it is asked in all while the provider is busy or fails; 4 unless said otherwise. */
  readonly tries?: number | undefined;
  /** How long one answer may take, in milliseconds, where it is not the usual time. */
  readonly timeoutMs?: number | undefined;
}

type FetchOptions = Pick<ModelRequest, 'provider' | 'signal' | 'tries'> & { readonly streams?: boolean };

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60 * SECOND;
const MOST_BYTES = 32 * 1024 * 1024;
/** How long an answer may go on while it streams. */
const LONGEST_STREAM_MS = 10 * MINUTE;

/**
 * Calls model providers through the guarded client and repeats a call while the provider is busy or fails, after the time it asks for.
 * A permanent refusal is a `ModelRefusal`; a question that is given up between two tries, `NotAsked`.
 */
@Injectable()
export class ModelHttp {
  private readonly timeoutMs: number;

  constructor(
    private readonly http: GuardedHttp,
    settings: Settings,
    @Optional() private readonly metrics?: Metrics,
  ) {
    this.timeoutMs = settings.MODEL_TIMEOUT_SECONDS * SECOND;
  }

  /** The answer of a provider that accepted the question. */
  post(url: string, request: ModelRequest): Promise<OutboundAnswer> {
    return this.timed(() => this.untilAccepted(request, () => this.http.send(url, this.optionsOf(request))));
  }

  /** The same while it arrives: it is asked again until the first byte, and never after. */
  open(url: string, request: ModelRequest): Promise<OutboundStream> {
    const options = this.optionsOf(request, 'text/event-stream');
    const timeouts = { ...options.timeouts, total: Math.max(LONGEST_STREAM_MS, options.timeouts.total) };
    return this.timed(() =>
      this.untilAccepted(request, async () => {
        const answer = await this.http.open(url, { ...options, timeouts });
        if (answer.status >= 400) answer.body.destroy();
        return answer;
      }),
    );
  }

  private timed<T>(ask: () => Promise<T>): Promise<T> {
    return this.metrics ? this.metrics.timed(this.metrics.models, {}, ask) : ask();
  }

  private async untilAccepted<T extends OutboundHead>(request: ModelRequest, ask: () => Promise<T>): Promise<T> {
    const { tries = TRIES, signal } = request;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw new NotAsked(signal.reason);
      const outcome = await ask().catch(retryable);
      if (!(outcome instanceof Problem) && outcome.status < 400) return outcome;
      const problem = outcome instanceof Problem ? named(request.provider, outcome) : refusal(request.provider, outcome);
      const wait = pauseBefore(attempt, problem);
      if (attempt >= tries || isFinal(problem) || wait > LONGEST_PAUSE_MS)
        throw problem instanceof ModelRefusal ? problem : outageIn('models', problem);
      // The next round reports a pause that was cut short.
      await pause(wait, undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  }

  /** The same as the `fetch` that protocol libraries call: the whole answer at once, or while it arrives. */
  fetch({ streams = false, ...options }: FetchOptions): typeof fetch {
    return async (input, init) => {
      const signals = [options.signal, init?.signal].filter((signal) => signal !== undefined && signal !== null);
      const request: ModelRequest = {
        ...options,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : '',
        signal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
      };
      const { body, status, headers } = streams ? await this.open(addressOf(input), request) : await this.post(addressOf(input), request);
      return new Response(body instanceof Readable ? webStreamOf(body) : new Uint8Array(body), { status, headers: { ...headers } });
    };
  }

  private optionsOf({ headers, body, signal, timeoutMs = this.timeoutMs }: ModelRequest, accept = 'application/json') {
    return {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept },
      body,
      maxBytes: MOST_BYTES,
      timeouts: { headers: timeoutMs, body: timeoutMs, total: timeoutMs },
      ...(signal ? { signal } : {}),
    } as const;
  }
}

/** A stream that is cancelled ends the connection. */
const webStreamOf = (body: Readable): ReadableStream<Uint8Array> => Readable.toWeb(body) as ReadableStream<Uint8Array>;

const addressOf = (input: Parameters<typeof fetch>[0]): string =>
  typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;

/** Errors of the network may pass; any other error is not a problem of a provider. */
function retryable(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** An error of the network, with the provider's name in it. */
function named(provider: string, problem: Problem): Problem {
  if (problem.code === 'upstream_timeout')
    return new Problem('upstream_timeout', `The model provider ${provider} did not respond in time.`);
  if (problem.code === 'upstream_failed')
    return new Problem('upstream_failed', `The model provider ${provider} could not be reached, or its response was interrupted.`);
  return problem;
}

const AGAIN: ReadonlySet<string> = new Set(['rate_limited', 'upstream_failed', 'upstream_timeout']);

const isFinal = (problem: Problem): boolean => problem instanceof ModelRefusal || !AGAIN.has(problem.code);

function refusal(provider: string, { status, headers }: OutboundHead): Problem {
  if (status === 401 || status === 403)
    return new ModelRefusal('upstream_failed', `The model provider ${provider} rejected the credential. Check its API key.`);
  if (status === 429)
    return new Problem('rate_limited', `The model provider ${provider} is busy. Try again later.`, {
      headers: { 'Retry-After': String(Math.ceil(secondsOf(headers['retry-after']) ?? 1)) },
    });
  if (status >= 500) return new Problem('upstream_failed', `The model provider ${provider} failed (HTTP ${status}).`);
  return new ModelRefusal('unprocessable_content', `The model provider ${provider} rejected the request (HTTP ${status}).`);
}

function pauseBefore(attempt: number, problem: Problem): number {
  const asked = secondsOf(problem.headers['Retry-After']);
  return asked === null ? FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2) : asked * SECOND;
}

/** `Retry-After` in seconds, or as a date. */
function secondsOf(value: string | undefined): number | null {
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / SECOND);
}
