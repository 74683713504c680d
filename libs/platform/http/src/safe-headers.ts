import { fieldsOf, type Field } from '@atrium/platform/database';
import type { Settings } from '@atrium/platform/config';
import type { RequestHandler, Response } from 'express';

/** What an answer of JSON depends on besides its address: its caller, and the encodings that the caller takes. */
const VARIES_BY = 'Authorization, X-Api-Key, X-Tenant-Id, Accept-Encoding';
const TWO_YEARS = 63_072_000;

/** Headers of everything that leaves: content types are not guessed, and addresses that contain secrets are not passed on as referrers. */
export function safeHeaders({ BASE_URL }: Settings): RequestHandler {
  const isSecure = BASE_URL.startsWith('https:');
  return (_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (isSecure) response.setHeader('Strict-Transport-Security', `max-age=${TWO_YEARS}; includeSubDomains`);
    next();
  };
}

/** Headers of an answer of data, unless its handler has set them; pages and bytes have rules of their own. Nothing in it is run, framed, or kept by others. */
export function guardData(response: Response, cacheControl: 'no-store' | 'private, no-cache'): void {
  const type = response.getHeader('Content-Type');
  if (typeof type === 'string' && !type.includes('json')) return;
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', cacheControl);
  if (response.hasHeader('Vary')) response.vary(VARIES_BY);
  else response.setHeader('Vary', VARIES_BY);
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('X-Frame-Options', 'DENY');
}

const ADDRESS = /(^|_)urls?$/;
const SIGNED = /signed|good for|fresh address/i;

/** Whether an answer of this class shows addresses, which are usually signed: anyone who reads them from a cache could use them. */
export function showsAddresses(type: Function | undefined, seen: ReadonlySet<Function> = new Set()): boolean {
  if (!type || seen.has(type)) return false;
  const below = new Set([...seen, type]);
  const shows = ({ name, about = '', of }: Field): boolean =>
    ADDRESS.test(name) || SIGNED.test(about) || (of !== undefined && showsAddresses(of(), below));
  return [...fieldsOf(type).values()].some(shows) || pagedBy(type).some((view) => showsAddresses(view, below));
}

const PAGED = Symbol('paged-view');

/** Notes what a page is made of; its rows are no declared field. */
export const markPage = (page: Function, view: Function): void => Reflect.defineMetadata(PAGED, view, page);

const pagedBy = (type: Function): Function[] => {
  const view = Reflect.getMetadata(PAGED, type) as Function | undefined;
  return view ? [view] : [];
};
