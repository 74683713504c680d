import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { outageIn, Problem, SECOND } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { GuardedHttp, type OutboundAnswer } from '@atrium/platform/outbound';
import { ModelRefusal } from '../domain/model-refusal';

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

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60 * SECOND;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Calls model providers through the guarded client and repeats a call while the provider is busy or fails, after the time it asks for.
 * A permanent refusal is a `ModelRefusal`.
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
    const answered = (): Promise<OutboundAnswer> => this.untilAnswered(url, request);
    return this.metrics ? this.metrics.timed(this.metrics.models, {}, answered) : answered();
  }

  private async untilAnswered(url: string, request: ModelRequest): Promise<OutboundAnswer> {
    const { tries = TRIES, signal } = request;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.ask(url, request).catch(retryable);
      if (!(outcome instanceof Problem) && outcome.status < 400) return outcome;
      const problem = outcome instanceof Problem ? outcome : refusal(request.provider, outcome);
      const wait = pauseBefore(attempt, problem);
      if (attempt >= tries || isFinal(problem) || wait > LONGEST_PAUSE_MS)
        throw problem instanceof ModelRefusal ? problem : outageIn('models', problem);
      await pause(wait, undefined, signal ? { signal } : {});
    }
  }

  /** The same as the `fetch` that protocol libraries call. */
  fetch(options: Pick<ModelRequest, 'provider' | 'signal' | 'tries'>): typeof fetch {
    return async (input, init) => {
      const answer = await this.post(addressOf(input), {
        ...options,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : '',
      });
      return new Response(new Uint8Array(answer.body), { status: answer.status, headers: { ...answer.headers } });
    };
  }

  private ask(url: string, { headers, body, signal, timeoutMs = this.timeoutMs }: ModelRequest): Promise<OutboundAnswer> {
    return this.http.send(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      maxBytes: MOST_BYTES,
      timeouts: { headers: timeoutMs, body: timeoutMs, total: timeoutMs },
      ...(signal ? { signal } : {}),
    });
  }
}

const addressOf = (input: Parameters<typeof fetch>[0]): string =>
  typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;

/** Errors of the network may pass; any other error is not a problem of a provider. */
function retryable(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

const AGAIN: ReadonlySet<string> = new Set(['rate_limited', 'upstream_failed', 'upstream_timeout']);

const isFinal = (problem: Problem): boolean => problem instanceof ModelRefusal || !AGAIN.has(problem.code);

function refusal(provider: string, { status, headers }: OutboundAnswer): Problem {
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
