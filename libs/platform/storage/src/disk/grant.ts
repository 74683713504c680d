import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@atrium/platform/kernel';
import { isObjectKey, requireKey } from '../keys';

/** What one signed URL allows. */
export interface Grant {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly size?: number;
  readonly sha256?: string;
  readonly contentType?: string;
  readonly createOnly?: boolean;
  readonly uploadId?: string;
  readonly part?: number;
  readonly disposition?: 'inline' | 'attachment';
  readonly downloadName?: string;
}

export const STORAGE_PATH = '/storage/';

const FIELDS = ['expires', 'size', 'sha256', 'type', 'create', 'upload', 'part', 'disposition', 'name'] as const;
const SIGNATURE = 'signature';

/**
 * Signs grants into paths and opens them again (HMAC-SHA-256 over the method, the key and every parameter). A path
 * that was changed in any way, has expired or is used with another method opens to null, without a reason.
 */
export class GrantSigner {
  constructor(
    private readonly secret: Buffer,
    private readonly clock: Clock,
  ) {}

  signGrant(grant: Grant): string {
    const query = new URLSearchParams();
    const values: Record<(typeof FIELDS)[number], string | number | undefined> = {
      expires: grant.expires,
      size: grant.size,
      sha256: grant.sha256,
      type: grant.contentType,
      create: grant.createOnly ? 'only' : undefined,
      upload: grant.uploadId,
      part: grant.part,
      disposition: grant.disposition,
      name: grant.downloadName && Buffer.from(grant.downloadName, 'utf8').toString('utf8'),
    };
    for (const field of FIELDS) {
      const value = values[field];
      if (value !== undefined && value !== '') query.set(field, String(value));
    }
    query.set(SIGNATURE, this.signature(grant.method, requireKey(grant.key), query));
    return `${STORAGE_PATH}${grant.key}?${query.toString()}`;
  }

  openGrant(method: string | undefined, url: string): Grant | null {
    const verb = method === 'HEAD' ? 'GET' : method;
    if (verb !== 'GET' && verb !== 'PUT') return null;
    const at = url.indexOf('?');
    if (at < 0 || !url.startsWith(STORAGE_PATH)) return null;
    const key = url.slice(STORAGE_PATH.length, at);
    const query = new URLSearchParams(url.slice(at + 1));
    if (!isObjectKey(key) || !this.isGenuine(verb, key, query)) return null;
    const expires = Number(query.get('expires'));
    if (!(this.clock.now().getTime() < expires * 1000)) return null;
    return { method: verb, key, expires, ...promisesOf(query) };
  }

  private isGenuine(method: string, key: string, query: URLSearchParams): boolean {
    const names = [...query.keys()];
    const known: readonly string[] = [...FIELDS, SIGNATURE];
    if (new Set(names).size !== names.length || names.some((name) => !known.includes(name))) return false;
    const expected = Buffer.from(this.signature(method, key, query));
    const given = Buffer.from(query.get(SIGNATURE) ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private signature(method: string, key: string, query: URLSearchParams): string {
    const text = JSON.stringify(['v1', method, key, ...FIELDS.map((field) => query.get(field))]);
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

function promisesOf(query: URLSearchParams): Omit<Grant, 'method' | 'key' | 'expires'> {
  const text = (name: (typeof FIELDS)[number]): string | undefined => query.get(name) ?? undefined;
  const number = (name: 'size' | 'part'): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
  return {
    size: number('size'),
    part: number('part'),
    sha256: text('sha256'),
    contentType: text('type'),
    createOnly: query.has('create'),
    uploadId: text('upload'),
    disposition: query.get('disposition') === 'inline' ? 'inline' : 'attachment',
    downloadName: text('name'),
  };
}
