import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Clock, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { GuardedHttp, type OutboundAnswer, type OutboundOptions } from '@atrium/platform/outbound';
import type { z } from 'zod';
import { monthsBefore } from '../domain/api-version';
import { SocialFailure } from '../domain/social-failure';
import { ApiVersionRows } from './api-versions.rows';
import { jsonOf, refusalOf } from './linkedin-refusals';

const MOST_BYTES = 2 * 1024 * 1024;
const TIMES = { headers: 30_000, body: 30_000, total: 60_000 };
/** How long a process relies on the version that it has read. */
const VERSION_FOR_MS = 60_000;

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
  /** What the platform calls the method, where it is not that of HTTP. */
  readonly restli?: 'PARTIAL_UPDATE' | 'DELETE';
  /** It must not happen twice: where no answer comes, nobody knows whether it happened. */
  readonly isOnce?: boolean;
}

/** Requests to LinkedIn: with the version that is active, and failures as they are meant. */
@Injectable()
export class LinkedInCalls {
  private known: { readonly version: string; readonly read: number } | null = null;

  constructor(
    private readonly http: GuardedHttp,
    private readonly settings: Settings,
    private readonly versions: ApiVersionRows,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** A versioned request; 426 looks for the newest active version once, for all workers. */
  async callRest(access: string, call: Call): Promise<OutboundAnswer> {
    const version = await this.readVersion();
    const answer = await this.sendVersioned(access, call, version);
    if (answer.status !== 426) return successful(answer);
    return successful(await this.searchVersion(access, call, version));
  }

  /** An answer in the form that it must have. */
  async readRest<T>(access: string, call: Call, schema: z.ZodType<T>): Promise<T> {
    return parsed(await this.callRest(access, call), schema);
  }

  async readPlain<T>(access: string, path: string, schema: z.ZodType<T>): Promise<T> {
    const answer = await this.exchange(`${this.settings.LINKEDIN_API_BASE}${path}`, { headers: { authorization: `Bearer ${access}` } });
    return parsed(successful(answer), schema);
  }

  /** A form to the authorization server. */
  async sendForm(path: string, form: Readonly<Record<string, string>>): Promise<OutboundAnswer> {
    return successful(
      await this.exchange(`${this.settings.LINKEDIN_AUTH_BASE}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    );
  }

  /** Bytes to an address that an answer has named. */
  async putBytes(url: string, stream: Readable, length: number, access: string): Promise<OutboundAnswer> {
    const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/octet-stream' };
    const timeouts = { headers: 120_000, total: 15 * 60_000 };
    return successful(await this.exchange(url, { method: 'PUT', headers, body: stream, length, timeouts }));
  }

  /** The version in use: that of the settings, unless another one was found to stand in for it. */
  async readVersion(): Promise<string> {
    const now = this.clock.now().getTime();
    if (this.known && now - this.known.read < VERSION_FOR_MS) return this.known.version;
    const found = await this.versions.findVersion('linkedin');
    const version = found && found.instead_of === this.settings.LINKEDIN_API_VERSION ? found.version : this.settings.LINKEDIN_API_VERSION;
    this.useVersion(version);
    return version;
  }

  private async searchVersion(access: string, call: Call, tried: string): Promise<OutboundAnswer> {
    const stored = await this.versions.findVersion('linkedin');
    const candidates = [...(stored ? [stored.version] : []), ...monthsBefore(this.clock.now())].filter((version) => version !== tried);
    for (const version of [...new Set(candidates)].slice(0, monthsBefore(this.clock.now()).length)) {
      const answer = await this.sendVersioned(access, call, version);
      if (answer.status === 426) continue;
      await this.versions.storeVersion('linkedin', version, this.settings.LINKEDIN_API_VERSION);
      this.useVersion(version);
      return answer;
    }
    throw new SocialFailure('rejected', 'No version of the LinkedIn API that this service knows is active.', { http: 426 });
  }

  private useVersion(version: string): void {
    this.known = { version, read: this.clock.now().getTime() };
    this.metrics.socialApiVersion.reset();
    this.metrics.socialApiVersion.set({ platform: 'linkedin', version }, 1);
  }

  private sendVersioned(access: string, { method, path, body, restli, isOnce = false }: Call, version: string): Promise<OutboundAnswer> {
    const headers = {
      authorization: `Bearer ${access}`,
      'linkedin-version': version,
      'x-restli-protocol-version': '2.0.0',
      ...(restli ? { 'x-restli-method': restli } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const url = `${this.settings.LINKEDIN_API_BASE}${path}`;
    if (!body) return this.exchange(url, { method, headers });
    const bytes = Buffer.from(JSON.stringify(body));
    return isOnce ? this.exchangeOnce(url, { method, headers }, bytes) : this.exchange(url, { method, headers, body: bytes });
  }

  private async exchange(url: string, options: OutboundOptions): Promise<OutboundAnswer> {
    try {
      return await this.http.sendRequest(url, { timeouts: TIMES, maxBytes: MOST_BYTES, ...options });
    } catch (error) {
      throw unavailable(error, 'unavailable');
    }
  }

  /** Once the body has begun to leave, a missing answer says nothing about what was done. */
  private async exchangeOnce(url: string, options: OutboundOptions, bytes: Buffer): Promise<OutboundAnswer> {
    let hasBegun = false;
    const body = Readable.from(
      (function* () {
        hasBegun = true;
        yield bytes;
      })(),
    );
    try {
      return await this.http.sendRequest(url, { timeouts: TIMES, maxBytes: MOST_BYTES, ...options, body, length: bytes.length });
    } catch (error) {
      throw unavailable(error, hasBegun ? 'unknown' : 'unavailable');
    }
  }
}

function unavailable(error: unknown, kind: 'unavailable' | 'unknown'): unknown {
  if (!(error instanceof Problem)) return error;
  return new SocialFailure(kind, kind === 'unknown' ? 'LinkedIn did not respond to the request.' : 'LinkedIn could not be reached.');
}

function successful(answer: OutboundAnswer): OutboundAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw refusalOf(answer);
}

export function parsed<T>(answer: OutboundAnswer, schema: z.ZodType<T>): T {
  const result = schema.safeParse(jsonOf(answer.body));
  if (result.success) return result.data;
  throw new SocialFailure('unavailable', 'LinkedIn returned a response that this service does not understand.', { http: answer.status });
}
