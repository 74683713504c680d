import type { LookupFunction } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { listOf, Settings } from '@atrium/platform/config';
import type { Client } from 'undici';
import { AddressPolicy } from './address-policy';
import { outboundProblem, tooManyRedirects, unrepeatableBody } from './outbound-problems';
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUTS, firstHop, nextHop, type Hop, type OutboundOptions } from './outbound-request';
import { pinnedTo, systemResolver, TargetCheck, type Resolver, type Target } from './target';
import { untilAborted } from './within';

/** What the other side answered, whatever its status. Header names are lower case, repeated ones joined. */
export interface OutboundHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers `Set-Cookie`, which cannot be joined; absent where there is none. */
  readonly cookies?: readonly string[];
  /** Where the answer came from in the end. */
  readonly url: string;
}

/** An answer being read: consume the body or destroy it. Its errors are problems, as those of the request. */
export interface OutboundStream extends OutboundHead {
  readonly body: Readable;
}

export interface OutboundAnswer extends OutboundHead {
  readonly body: Buffer;
}

const MAX_HEADER_BYTES = 32 * 1024;

/**
 * The one client for addresses that users supply. A name is looked up once, every address it has is checked, and the
 * connection goes to those very addresses under the name that was asked for; the answer is bounded in size and time.
 * Each request has a connection of its own and no proxy, so nothing of one workspace is left for the next.
 */
@Injectable()
export class GuardedHttp {
  private readonly targets: TargetCheck;

  constructor(settings: Settings) {
    this.targets = new TargetCheck(new AddressPolicy(listOf(settings.OUTBOUND_ALLOW)), (hostname) => this.resolve(hostname));
  }

  /** Sends a request and reads the whole answer. */
  async sendRequest(address: string | URL, options: OutboundOptions = {}): Promise<OutboundAnswer> {
    const { body, ...head } = await this.openStream(address, options);
    const pieces: Buffer[] = [];
    for await (const piece of body) pieces.push(piece as Buffer);
    return { ...head, body: Buffer.concat(pieces) };
  }

  /** Sends a request and hands out the answer while it arrives. */
  async openStream(address: string | URL, options: OutboundOptions = {}): Promise<OutboundStream> {
    const deadline = AbortSignal.timeout(options.timeouts?.total ?? DEFAULT_TIMEOUTS.total);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    try {
      return await this.follow(firstHop(address, options), options, signal);
    } catch (error) {
      if (options.body instanceof Readable) options.body.destroy();
      options.signal?.throwIfAborted();
      throw outboundProblem(error);
    }
  }

  /** Checks an address without connecting to it, so that it is rejected when it is entered. */
  async checkAddress(address: string): Promise<void> {
    await untilAborted(this.targets.checkAddress(address), AbortSignal.timeout(DEFAULT_TIMEOUTS.connect)).catch((error: unknown) => {
      throw outboundProblem(error);
    });
  }

  /** For clients with sockets of their own: looks a name up and answers its addresses when all of them may be reached. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.targets.checkAddress(`https://${hostname}`).then(
      ({ addresses }) => pinnedTo(addresses)(hostname, options, callback),
      (error: unknown) => callback(outboundProblem(error), ''),
    );
  };

  /** How a name is looked up, once a request; a test answers its own. */
  protected resolve(hostname: string): ReturnType<Resolver> {
    return systemResolver(hostname);
  }

  private async follow(first: Hop, options: OutboundOptions, signal: AbortSignal): Promise<OutboundStream> {
    const { redirects = 0 } = options;
    let hop = first;
    for (let followed = 0; ; followed++) {
      const answer = await this.exchange(hop, options, signal);
      const next = redirects > 0 ? nextHop(hop, answer.status, answer.headers.location) : null;
      if (!next) return answer;
      answer.body.destroy();
      if (followed === redirects) throw tooManyRedirects();
      if (next.body instanceof Readable) throw unrepeatableBody();
      hop = next;
    }
  }

  private async exchange(hop: Hop, options: OutboundOptions, signal: AbortSignal): Promise<OutboundStream> {
    const target = await untilAborted(this.targets.checkAddress(hop.address), signal);
    const client = await connectionTo(target, options);
    try {
      const { url } = target;
      const answer = await client.request({
        method: hop.method,
        path: url.pathname + url.search,
        headers: hop.headers,
        body: hop.body,
        signal,
      });
      const cookies = [answer.headers['set-cookie'] ?? []].flat();
      return {
        status: answer.statusCode,
        headers: flat(answer.headers),
        ...(cookies.length > 0 ? { cookies } : {}),
        url: url.href,
        body: bodyOf(answer.body, client, options.signal),
      };
    } catch (error) {
      void client.destroy();
      throw error;
    }
  }
}

/** The client is loaded with the first request: most hosts never send one. */
async function connectionTo({ url, addresses }: Target, { timeouts = {}, maxBytes = DEFAULT_MAX_BYTES }: OutboundOptions): Promise<Client> {
  const { Client: Connection } = await import('undici');
  const { connect, headers, body } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  return new Connection(url.origin, {
    connect: { lookup: pinnedTo(addresses), timeout: connect },
    headersTimeout: headers,
    bodyTimeout: body,
    maxResponseSize: maxBytes,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
    allowH2: false,
  });
}

/** The body with its errors as problems; the connection ends with it, read or not. */
function bodyOf(source: Readable, client: Client, given: AbortSignal | undefined): Readable {
  const meaning = (error: unknown): Error => (given?.aborted ? (given.reason as Error) : outboundProblem(error));
  const body = new PassThrough({
    destroy: (error, done) => {
      source.destroy();
      void client.destroy();
      done(error && meaning(error));
    },
  });
  source.on('error', (error) => body.destroy(meaning(error)));
  // It may break off before anybody reads it: who reads it then meets the error, and until then it ends nothing.
  body.on('error', () => undefined);
  return source.pipe(body);
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
