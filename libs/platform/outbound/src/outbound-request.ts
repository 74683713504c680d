import { Readable } from 'node:stream';
import { exactBytes } from './sent-body';

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Ids that lead from the log of the other side to the request or job here; the running scope is one. */
export interface Trace {
  readonly request_id: string;
  readonly traceparent?: string | undefined;
}

/** How long each phase may take, in milliseconds; `total` covers everything, redirects and body included. */
export interface OutboundTimeouts {
  readonly connect: number;
  readonly headers: number;
  /** The longest silence between two pieces of the body. */
  readonly body: number;
  readonly total: number;
}

export interface OutboundOptions {
  readonly method?: OutboundMethod;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent once: it cannot follow a redirect that keeps the body. */
  readonly body?: string | Uint8Array | Readable;
  /**
   * Exact length of a streamed body: it is sent as `Content-Length`, which upload addresses require, and the request fails where
   * the stream is shorter or longer. Without it a stream is sent in chunks.
   */
  readonly length?: number;
  /** Longest answer that is accepted, in bytes. */
  readonly maxBytes?: number;
  /** Redirects followed at most, each checked like the first address; by default none, and the 3xx is the answer. */
  readonly redirects?: number;
  readonly timeouts?: Partial<OutboundTimeouts>;
  /** Given only when the other side may know our ids. */
  readonly trace?: Trace | undefined;
  readonly signal?: AbortSignal;
}

export const DEFAULT_TIMEOUTS: OutboundTimeouts = { connect: 5_000, headers: 15_000, body: 15_000, total: 60_000 };
export const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

/** One request of a chain of redirects. */
export interface Hop {
  readonly address: string;
  readonly method: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Readable | null;
}

/** Headers that only the connection itself may set. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
/** Headers that may go on to another origin; credentials are known to their owner alone, so everything else stays. */
const FOR_ANYBODY = new Set(['accept', 'accept-encoding', 'accept-language', 'content-type', 'user-agent', 'x-request-id', 'traceparent']);
const OF_THE_BODY = new Set(['content-type', 'content-encoding', 'content-language', 'content-length']);

export function firstHop(address: string | URL, { method = 'GET', headers = {}, body, length, trace }: OutboundOptions): Hop {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const all: Record<string, string> = {
    'user-agent': 'Atrium',
    // An uncompressed answer cannot expand beyond the limit.
    'accept-encoding': 'identity',
    ...Object.fromEntries(given.filter(([name]) => !OF_THE_CONNECTION.has(name))),
    ...(trace ? { 'x-request-id': trace.request_id } : {}),
    ...(trace?.traceparent ? { traceparent: trace.traceparent } : {}),
  };
  if (length === undefined || !(body instanceof Readable)) return { address: String(address), method, headers: all, body: body ?? null };
  return { address: String(address), method, headers: { ...all, 'content-length': String(length) }, body: exactBytes(body, length) };
}

/** The request that a redirect asks for, as browsers understand it; null when the answer is none. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | null {
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, hop.address)) return null;
  const to = new URL(location, hop.address);
  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST');
  const sameOrigin = to.origin === new URL(hop.address).origin;
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || FOR_ANYBODY.has(name)) && !(becomesGet && OF_THE_BODY.has(name)),
  );
  return {
    address: to.href,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? null : hop.body,
  };
}
