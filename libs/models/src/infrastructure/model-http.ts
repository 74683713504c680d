import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, Optional } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { MINUTE, outageIn, Problem, SECOND } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { GuardedHttp, type OutboundAnswer, type OutboundHead, type OutboundStream } from '@atrium/platform/outbound';
import { ModelRefusal, ProviderProblem, reasonIn } from '../domain/model-refusal';
import { NotAsked } from '../domain/not-asked';
import { secretsInAddress, wordsOfText } from '../domain/provider-words';
import { refusalOf } from './wire/refusal-of';

/** One question to a model provider. */
export interface ModelRequest {
  readonly provider: string;
  /** The provider's own name of the model, for what is said of a refusal. */
  readonly model?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
  /** Times it is asked in all while the provider is busy or fails; 4 unless said otherwise. */
  readonly tries?: number | undefined;
  /** How long one answer may take, in milliseconds, where it is not the usual time. */
  readonly timeoutMs?: number | undefined;
}

type FetchOptions = Pick<ModelRequest, 'provider' | 'model' | 'signal' | 'tries'> & { readonly streams?: boolean };

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60 * SECOND;
const MOST_BYTES = 32 * 1024 * 1024;
/** What is read of an answer that is an error. */
const MOST_OF_ERROR = 64 * 1024;
/** How long an answer may go on while it streams. */
const LONGEST_STREAM_MS = 10 * MINUTE;

/**
 * Calls model providers through the guarded client and repeats a call while the provider is busy or fails, after the time it asks for.
 * A permanent refusal is a `ModelRefusal`; a question that is given up between two tries, `NotAsked`.
 */
@Injectable()
export class ModelHttp {
  private readonly log = new Logger(ModelHttp.name);
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
    return this.timed(() => this.untilAccepted(url, request, () => this.http.sendRequest(url, this.optionsOf(request))));
  }

  /** The same while it arrives: it is asked again until the first byte, and never after. */
  openStream(url: string, request: ModelRequest): Promise<OutboundStream> {
    const options = this.optionsOf(request, 'text/event-stream');
    const timeouts = { ...options.timeouts, total: Math.max(LONGEST_STREAM_MS, options.timeouts.total) };
    return this.timed(() => this.untilAccepted(url, request, () => this.http.openStream(url, { ...options, timeouts })));
  }

  private timed<T>(ask: () => Promise<T>): Promise<T> {
    return this.metrics ? this.metrics.timeCall(this.metrics.models, {}, ask) : ask();
  }

  private async untilAccepted<T extends OutboundAnswer | OutboundStream>(
    url: string,
    request: ModelRequest,
    ask: () => Promise<T>,
  ): Promise<T> {
    const { tries = TRIES, signal } = request;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw new NotAsked(signal.reason);
      const outcome = await ask().catch(retryable);
      if (!(outcome instanceof Problem) && outcome.status < 400) return outcome;
      const problem = outcome instanceof Problem ? named(request.provider, outcome) : await refusal(url, request, outcome);
      const wait = pauseBefore(attempt, outcome instanceof Problem ? null : askedPause(outcome));
      if (attempt >= tries || isFinal(problem) || wait > LONGEST_PAUSE_MS) {
        this.report(request, problem, outcome instanceof Problem ? null : outcome.status);
        throw problem instanceof ModelRefusal ? problem : outageIn('models', problem);
      }
      // The next round reports a pause that was cut short.
      await pause(wait, undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  }

  /** The provider's own reason is for those who look after the installation. */
  private report({ provider, model }: ModelRequest, problem: Problem, status: number | null): void {
    this.log.warn({ msg: 'a model provider did not answer', provider, model, status, code: problem.code, reason: reasonIn(problem) });
  }

  /** The same as the `fetch` that protocol libraries call: the whole answer at once, or while it arrives. */
  toFetch({ streams = false, ...options }: FetchOptions): typeof fetch {
    return async (input, init) => {
      const signals = [options.signal, init?.signal].filter((signal) => signal !== undefined && signal !== null);
      const request: ModelRequest = {
        ...options,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : '',
        signal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
      };
      const { body, status, headers } = streams
        ? await this.openStream(addressOf(input), request)
        : await this.post(addressOf(input), request);
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

/** What the provider says of it, without the secrets of the question; it is read no further than that. */
async function refusal(url: string, { provider, model, headers }: ModelRequest, answer: OutboundAnswer | OutboundStream): Promise<Problem> {
  const { status, body } = answer;
  const text = body instanceof Uint8Array ? body.subarray(0, MOST_OF_ERROR).toString('utf8') : await beginningOf(body);
  const problem = refusalOf({ provider, model, status, words: wordsOfText(text, [...secretsIn(headers), ...secretsInAddress(url)]) });
  if (!(problem instanceof ProviderProblem) || problem.code !== 'rate_limited') return problem;
  const seconds = Math.ceil((askedPause(answer) ?? SECOND) / SECOND);
  return new ProviderProblem(problem.code, problem.detail, problem.words, { headers: { 'Retry-After': String(seconds) } });
}

async function beginningOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes >= MOST_OF_ERROR) break;
    }
  } catch {
    // What came until then is all that is known of it.
  }
  body.destroy();
  return Buffer.concat(pieces).subarray(0, MOST_OF_ERROR).toString('utf8');
}

/** Headers of a question that say nothing secret. */
const OPEN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent', 'anthropic-version', 'anthropic-beta']);

/** Keys, with and without the word before them. */
const secretsIn = (headers: ModelRequest['headers']): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    OPEN_HEADERS.has(name.toLowerCase()) ? [] : [value, ...(value.includes(' ') ? [value.slice(value.indexOf(' ') + 1)] : [])],
  );

const pauseBefore = (attempt: number, asked: number | null): number =>
  asked ?? FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);

/** What the provider asks for, in milliseconds. */
function askedPause({ headers, status }: OutboundHead): number | null {
  const exact = headers['retry-after-ms'];
  if (exact !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(exact)) return Number(exact);
  const seconds = secondsOf(headers['retry-after']);
  if (seconds !== null) return seconds * SECOND;
  return status === 429 ? SECOND : null;
}

/** `Retry-After` in seconds, or as a date. */
function secondsOf(value: string | undefined): number | null {
  if (value === undefined || value === '') return null;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / SECOND);
}
