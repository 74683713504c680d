import { Injectable } from '@nestjs/common';
import { GuardedHttp, type OutboundOptions, type OutboundStream } from '@atrium/platform/outbound';
import { Problem } from '@atrium/platform/kernel';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { linkedCanonical } from '../domain/link-header';
import type { PageReading } from '../domain/page-reading';
import type { SiteCookies } from './site-cookies';

const MIB = 1024 * 1024;
/** Of a page as it is read, unpacked where it came packed. */
const MOST_PAGE_BYTES = 5 * MIB;
const MOST_ROBOTS_BYTES = 512 * 1024;
const MOST_SITEMAP_BYTES = 50 * MIB;
const PAGE_TIMEOUTS = { connect: 5_000, headers: 20_000, body: 20_000, total: 20_000 };
const SITEMAP_TIMEOUTS = { ...PAGE_TIMEOUTS, total: 60_000 };
const MOST_REDIRECTS = 5;
const LONGEST_WAIT_MS = 5 * 60_000;
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/i;

/** Of a page, by which its type is known. */
const HEAD_BYTES = 4_096;
/** Beginnings of pages that come as plain text, or without a type. */
const LOOKS_LIKE_HTML = /^(?:\uFEFF|\xEF\xBB\xBF)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<(?:!doctype\s+html|html)[\s>]/i;
const MAY_BE_HTML = /^(?:text\/plain|text\/xml|application\/xml)?$/i;
/** What became of the question whether an address may be asked for. */
export type Admission = { readonly address: string } | { readonly refusal: Extract<PageReading, { kind: 'skipped' | 'failed' }> };

/** A page that is asked for, and what is known of it. */
export interface WantedPage {
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly cookies: SiteCookies;
  /** Whether a redirect to this address is followed, and how the address is asked for. */
  admitRedirect(address: string): Promise<Admission>;
}

/** A sitemap as it comes, unpacked; without a body where there is none. */
export interface SitemapAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Asks a site for its pages, its rules and its sitemaps, within bounds of size and time. */
@Injectable()
export class SiteFetch {
  constructor(private readonly http: GuardedHttp) {}

  /** Redirects are followed one by one: each address is checked before it is asked. */
  async fetchPage(wanted: WantedPage, signal: AbortSignal): Promise<PageReading> {
    let address = wanted.url;
    try {
      for (let followed = 0; followed <= MOST_REDIRECTS; followed++) {
        const answer = await this.ask(address, wanted.cookies, {
          headers: { accept: 'text/html,application/xhtml+xml', ...(followed === 0 ? conditionsOf(wanted) : {}) },
          maxBytes: MOST_PAGE_BYTES,
          timeouts: PAGE_TIMEOUTS,
          signal,
        });
        const next = redirectOf(answer, address);
        if (next === undefined) return await readingOf(answer, address);
        answer.body.destroy();
        const admission = await wanted.admitRedirect(next);
        if ('refusal' in admission) return { ...admission.refusal, status: answer.status };
        address = admission.address;
      }
      return { kind: 'failed', status: null, reason: `It redirects more than ${MOST_REDIRECTS} times.` };
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(error);
    }
  }

  /** The rules of a site; null where it has none. A site whose rules cannot be read is not crawled. */
  async fetchRobots(address: string, cookies: SiteCookies, signal: AbortSignal): Promise<string | null> {
    const answer = await this.follow(address, cookies, {
      headers: { accept: 'text/plain' },
      maxBytes: MOST_ROBOTS_BYTES,
      timeouts: PAGE_TIMEOUTS,
      signal,
    });
    if (answer.status >= 500 || answer.status === 429) {
      answer.body.destroy();
      throw new Problem(
        'upstream_failed',
        `The robots.txt of the site cannot be read: the site returned the status ${answer.status}. Try again later.`,
      );
    }
    if (answer.status !== 200) {
      answer.body.destroy();
      return null;
    }
    return (await bytesOf(answer, MOST_ROBOTS_BYTES)).toString('utf8');
  }

  async fetchSitemap(address: string, cookies: SiteCookies, signal: AbortSignal): Promise<SitemapAnswer> {
    const answer = await this.follow(address, cookies, { maxBytes: MOST_SITEMAP_BYTES, timeouts: SITEMAP_TIMEOUTS, signal });
    const { status } = answer;
    if (status === 200) return { status, body: bounded(unpacked(answer, await beginning(answer)), MOST_SITEMAP_BYTES) };
    answer.body.destroy();
    return { status, body: null };
  }

  /** Follows redirects to wherever they lead; each address is checked. */
  private async follow(first: string, cookies: SiteCookies, options: OutboundOptions): Promise<OutboundStream> {
    let address = first;
    for (let followed = 0; followed <= MOST_REDIRECTS; followed++) {
      const answer = await this.ask(address, cookies, options);
      const next = redirectOf(answer, address);
      if (next === undefined) return answer;
      answer.body.destroy();
      address = next;
    }
    throw new Problem('upstream_failed', `The URL redirects more than ${MOST_REDIRECTS} times.`);
  }

  /** With the cookies that the site has set before; those of the answer are kept. */
  private async ask(address: string, cookies: SiteCookies, options: OutboundOptions): Promise<OutboundStream> {
    const cookie = cookies.headerFor(address);
    const headers = { ...options.headers, ...(cookie === undefined ? {} : { cookie }) };
    const answer = await this.http.openStream(address, { ...options, headers });
    cookies.keepCookies(address, answer.cookies ?? []);
    return answer;
  }
}

const conditionsOf = ({ etag, last_modified }: WantedPage): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(last_modified === null ? {} : { 'if-modified-since': last_modified }),
});

/** Addresses in headers are written in UTF-8 by some sites, whose bytes come one by one. */
function utf8Of(header: string | undefined): string | undefined {
  if (header === undefined || !/[\x80-\xff]/.test(header)) return header;
  const text = Buffer.from(header, 'latin1');
  return isUtf8(text) ? text.toString('utf8') : header;
}

function redirectOf({ status, headers }: OutboundStream, address: string): string | undefined {
  const to = utf8Of(headers['location']);
  return [301, 302, 303, 307, 308].includes(status) && to !== undefined && URL.canParse(to, address)
    ? new URL(to, address).href
    : undefined;
}

async function readingOf(answer: OutboundStream, address: string): Promise<PageReading> {
  const { status, headers } = answer;
  if (status === 200) {
    const type = (headers['content-type'] ?? '').split(/[;,]/)[0]?.trim() ?? '';
    const begun = await beginning(answer);
    if (PAGE_TYPES.test(type) || (MAY_BE_HTML.test(type) && LOOKS_LIKE_HTML.test(begun.first.toString('latin1', 0, HEAD_BYTES)))) {
      return {
        kind: 'page',
        address,
        status,
        bytes: await allOf(unpacked(answer, begun), MOST_PAGE_BYTES),
        type: headers['content-type'] ?? '',
        etag: headers['etag'] ?? null,
        last_modified: headers['last-modified'] ?? null,
        robots: headers['x-robots-tag'] ?? '',
        canonical: linkedCanonical(utf8Of(headers['link']), address) ?? null,
        refresh: utf8Of(headers['refresh']) ?? null,
      };
    }
    answer.body.destroy();
    return { kind: 'skipped', status, reason: `It is not a page: ${type === '' ? 'its type is not given' : type.slice(0, 100)}.` };
  }
  answer.body.destroy();
  if (status === 304) return { kind: 'unchanged', status };
  if (status === 404 || status === 410) return { kind: 'missing', status };
  const reason = `The site returned the status ${status}.`;
  if (status === 429 || status >= 500) return { kind: 'later', status, reason, afterMs: waitOf(headers['retry-after']) };
  return { kind: 'failed', status, reason };
}

function failureOf(error: unknown): PageReading {
  if (!(error instanceof Problem)) throw error;
  const passes = error.code === 'upstream_timeout' || error.code === 'upstream_failed';
  return passes
    ? { kind: 'later', status: null, reason: error.detail, afterMs: null }
    : { kind: 'failed', status: null, reason: error.detail };
}

/** How long a site asks to be left alone: seconds, or a date. */
function waitOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), LONGEST_WAIT_MS) : null;
}

const bytesOf = async (answer: OutboundStream, most: number): Promise<Buffer> => allOf(unpacked(answer, await beginning(answer)), most);

async function allOf(source: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bounded(source, most)) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Beginning {
  readonly first: Buffer;
  readonly rest: AsyncIterator<Buffer, undefined>;
}

/** The first piece shows whether the bytes are packed. */
async function beginning({ body }: OutboundStream): Promise<Beginning> {
  const rest = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const next = await rest.next();
  return { first: next.done === true ? Buffer.alloc(0) : next.value, rest };
}

/** Nobody asked for packed bytes, but sites send them, and sitemaps are stored so. */
function unpacked(answer: OutboundStream, { first, rest }: Beginning): AsyncIterable<Uint8Array> {
  const source = Readable.from(
    (async function* () {
      if (first.length > 0) yield first;
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
    })(),
    { objectMode: false },
  );
  if (first[0] !== 0x1f || first[1] !== 0x8b) return source;
  const gunzip: Gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => answer.body.destroy());
  return source.pipe(gunzip);
}

async function* bounded(source: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of source) {
      size += piece.length;
      if (size > most) throw new Problem('unprocessable_content', 'The response is larger than this service accepts.');
      yield piece;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new Problem('unprocessable_content', 'The compressed response is damaged.');
    throw error;
  }
}
