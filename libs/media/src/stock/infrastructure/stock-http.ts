import { Injectable } from '@nestjs/common';
import { Clock, isObject, outageIn, Problem, SECOND } from '@atrium/platform/kernel';
import { GuardedHttp, type OutboundAnswer } from '@atrium/platform/outbound';

export type StockAnswer = Readonly<Record<string, unknown>>;

const HOUR_SECONDS = 3_600;
const MOST_BYTES = 8 * 1024 * 1024;

/** The way to collections of stock photos: JSON through the guarded client, and their refusals in the words of the API. */
@Injectable()
export class StockHttp {
  constructor(
    private readonly http: GuardedHttp,
    private readonly clock: Clock,
  ) {}

  /** Null where the provider knows no such thing. */
  async fetchJson(provider: string, url: string, authorization: string, signal?: AbortSignal): Promise<StockAnswer | null> {
    const answer = await this.http
      .sendRequest(url, { headers: { authorization, accept: 'application/json' }, maxBytes: MOST_BYTES, ...(signal ? { signal } : {}) })
      .catch((error: unknown) => {
        throw outageIn('stock', error);
      });
    if (answer.status === 404) return null;
    if (answer.status >= 300) {
      const refusal = this.refusal(provider, answer);
      throw answer.status >= 500 || refusal.code === 'rate_limited' ? outageIn('stock', refusal) : refusal;
    }
    const body = parsed(answer.body);
    if (!isObject(body)) throw new Problem('upstream_failed', `${provider} did not return JSON.`);
    return body;
  }

  private refusal(provider: string, { status, headers }: OutboundAnswer): Problem {
    const spent = headers['x-ratelimit-remaining'] === '0';
    if (status === 429 || (status === 403 && spent))
      return new Problem('rate_limited', `${provider} has reached its request limit.`, {
        headers: { 'Retry-After': String(this.secondsUntilMore(headers)) },
      });
    if (status === 401 || status === 403) return new Problem('upstream_failed', `${provider} refused the API key.`);
    return new Problem('upstream_failed', `${provider} failed (HTTP ${status}).`);
  }

  /** `Retry-After`, else when the limit is reset, else an hour, in which all of them count. */
  private secondsUntilMore(headers: OutboundAnswer['headers']): number {
    const { 'retry-after': after = '', 'x-ratelimit-reset': reset = '' } = headers;
    if (/^\d{1,6}$/.test(after)) return Number(after);
    return /^\d{9,11}$/.test(reset) ? Math.max(1, Math.ceil(Number(reset) - this.clock.now().getTime() / SECOND)) : HOUR_SECONDS;
  }
}

export const partOf = (value: StockAnswer, name: string): StockAnswer => (isObject(value[name]) ? value[name] : {});

export const listIn = (value: StockAnswer, name: string): readonly StockAnswer[] =>
  Array.isArray(value[name]) ? (value[name] as unknown[]).filter(isObject) : [];

export const textIn = (value: StockAnswer, name: string): string => (typeof value[name] === 'string' ? value[name] : '');

export const numberIn = (value: StockAnswer, name: string): number => (typeof value[name] === 'number' ? value[name] : 0);

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
