import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isObject, measureJson, MINUTE, Problem, SECOND, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import {
  GuardedHttp,
  isBusyStatus,
  OutboundRetries,
  RequestPaces,
  retryAfterSeconds,
  type OutboundMethod,
  type OutboundOptions,
  type OutboundStream,
} from '@atrium/platform/outbound';
import type { CmsCall } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';

const MOST_BYTES = 10 * 1024 * 1024;
const DEEPEST = 100;
const MOST_VALUES = 1_000_000;
const TIMEOUTS = { connect: 5 * SECOND, headers: 30 * SECOND, body: 30 * SECOND, total: 2 * MINUTE };
/** A little slower than the CMS allows, since requests do not arrive at the distances at which they are sent. */
const MARGIN = 1.05;

/** An answer that is not an error, as JSON; null where there is none. */
export interface CmsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

/** How a CMS is asked, and what it says by its refusals. */
export interface CmsDialect {
  /** Name of the product, for sentences. */
  readonly name: string;
  readonly perSecond: number;
  /** What is asked at one pace: the space. */
  readonly space: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string;
  /** Seconds that a 429 asks to wait. */
  readonly readPause: (headers: Readonly<Record<string, string>>) => number | undefined;
  readonly readRefusal: (status: number, body: JsonValue) => CmsProblem;
}

export interface CmsRequest extends Pick<OutboundOptions, 'headers'> {
  readonly method?: OutboundMethod;
  readonly url: string;
  readonly body?: JsonObject | undefined;
  /** In place of a body that is JSON; opened for each try. */
  readonly open?: () => Promise<Pick<OutboundOptions, 'body' | 'headers' | 'length'>>;
  /** Asked before another try of a request that may have been carried out: what it did, or null to send it again. */
  readonly findOutcome?: () => Promise<CmsAnswer | null>;
}

/** Asks a CMS at its pace, again where it is busy, and takes no answer that was not measured before it was read. */
@Injectable()
export class CmsHttp {
  constructor(
    private readonly http: GuardedHttp,
    private readonly paces: RequestPaces,
    private readonly retries: OutboundRetries,
  ) {}

  async sendRequest(call: CmsCall, dialect: CmsDialect, request: CmsRequest): Promise<CmsAnswer> {
    const pace = { key: paceKey(call, dialect), perSecond: dialect.perSecond / MARGIN };
    let isUncertain = false;
    return this.retries.askWithRetries(call, async () => {
      if (isUncertain) {
        const outcome = await request.findOutcome?.();
        if (outcome) return outcome;
      }
      await this.paces.awaitTurn(pace, call.signal);
      try {
        return await this.exchange(call, dialect, request);
      } catch (error) {
        if (error instanceof CmsProblem && error.reason === 'rate_limited') this.paces.slowDown(pace.key, error.retryAfter);
        isUncertain ||= error instanceof CmsProblem && error.isUncertain;
        throw error;
      }
    });
  }

  /** Sends bytes to an address that the CMS named, without its credentials and beside its pace. */
  async uploadForm(call: CmsCall, name: string, request: CmsRequest): Promise<void> {
    await this.retries.askWithRetries(call, async () => {
      const answer = await this.open(call, name, { ...request, headers: {} });
      answer.body.destroy();
      if (isBusyStatus(answer.status)) throw new CmsProblem('unavailable', `The storage of ${name} returned the status ${answer.status}.`);
      if (answer.status >= 300)
        throw new CmsProblem('refused_content', `The storage of ${name} refused the file with the status ${answer.status}.`);
    });
  }

  private async exchange(call: CmsCall, dialect: CmsDialect, request: CmsRequest): Promise<CmsAnswer> {
    const { name, headers, mediaType } = dialect;
    const answer = await this.open(call, name, {
      ...request,
      headers: { accept: mediaType, ...(request.body ? { 'content-type': mediaType } : {}), ...headers, ...request.headers },
    });
    if (answer.status >= 200 && answer.status < 300)
      return { status: answer.status, headers: answer.headers, body: await readAnswer(answer, name) };
    if (answer.status === 429) {
      answer.body.destroy();
      const retryAfter = dialect.readPause(answer.headers) ?? retryAfterSeconds(answer.headers['retry-after']);
      throw new CmsProblem('rate_limited', `${name} was asked too often. Try again later.`, { retryAfter });
    }
    if (isBusyStatus(answer.status)) {
      answer.body.destroy();
      const retryAfter = retryAfterSeconds(answer.headers['retry-after']);
      throw new CmsProblem('unavailable', `${name} returned the status ${answer.status}. Try again later.`, {
        retryAfter,
        isUncertain: true,
      });
    }
    throw dialect.readRefusal(answer.status, await readAnswer(answer, name).catch(() => null));
  }

  private async open(call: CmsCall, name: string, { method = 'GET', url, body, headers, open }: CmsRequest): Promise<OutboundStream> {
    const opened = (await open?.()) ?? {};
    try {
      return await this.http.openStream(url, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...opened,
        headers: { ...headers, ...opened.headers },
        maxBytes: MOST_BYTES,
        timeouts: TIMEOUTS,
        signal: call.signal,
      });
    } catch (error) {
      throw unanswered(error, name);
    }
  }
}

const paceKey = ({ connection }: CmsCall, { name, space }: CmsDialect): string =>
  `${name}:${space}:${createHash('sha256').update(connection.secrets.token).digest('hex').slice(0, 16)}`;

/** A request that got no answer; it may have been carried out unless it never left. */
function unanswered(error: unknown, name: string): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.code === 'upstream_timeout') return new CmsProblem('timeout', `${name} did not respond in time.`, { isUncertain: true });
  if (error.code === 'upstream_failed')
    return new CmsProblem('unavailable', `${name} could not be reached, or its response was interrupted.`, { isUncertain: true });
  return new CmsProblem('refused_address', error.detail);
}

async function readAnswer({ body }: OutboundStream, name: string): Promise<JsonValue> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of body) pieces.push(piece as Buffer);
  } catch (error) {
    if (error instanceof Problem && error.code === 'unprocessable_content') throw invalidAnswer(name, 'is larger than 10 MB');
    throw unanswered(error, name);
  }
  return parsedAnswer(Buffer.concat(pieces), name);
}

function parsedAnswer(bytes: Buffer, name: string): JsonValue {
  if (bytes.length === 0) return null;
  const { depth, values } = measureJson(bytes);
  if (depth > DEEPEST) throw invalidAnswer(name, `is nested in more than ${DEEPEST} levels`);
  if (values > MOST_VALUES) throw invalidAnswer(name, `has more than ${MOST_VALUES} values`);
  try {
    return JSON.parse(bytes.toString()) as JsonValue;
  } catch {
    throw invalidAnswer(name, 'is not valid JSON');
  }
}

export const invalidAnswer = (name: string, fault: string): CmsProblem =>
  new CmsProblem('upstream_invalid', `The response of ${name} ${fault}.`);

/** A body that came in, as an object; undefined where it is none, or one that is nested too deeply. */
export function objectOfBytes(bytes: Buffer): JsonObject | undefined {
  try {
    const value = parsedAnswer(bytes, 'The CMS');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
