import { type Clock, withoutEnd } from '@atrium/platform/kernel';
import { deliveryOf } from '../delivery';
import { requireKey, requireLifetime, requirePart } from '../keys';
import type { SignGet, SignPart, SignPut, SignedUpload } from '../object-store';
import { presign, type S3Credentials } from './sigv4';
import type { S3Location } from './s3-wire';

export interface S3PresignerOptions extends S3Location {
  /** Endpoint as clients reach it; the same one unless given. */
  readonly publicEndpoint?: string;
  readonly credentials: S3Credentials;
  readonly clock: Clock;
}

interface Signing {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  readonly expiresInSeconds: number;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs what clients may do to storage itself, under the address at which they reach it. */
export class S3Presigner {
  constructor(private readonly options: S3PresignerOptions) {}

  put({ key, size, sha256, contentType, createOnly, expiresInSeconds }: SignPut): SignedUpload {
    const headers = {
      ...(contentType && { 'content-type': contentType }),
      ...(sha256 && { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') }),
      ...(createOnly && { 'if-none-match': '*' }),
      ...(this.options.encryption && { 'x-amz-server-side-encryption': this.options.encryption }),
    };
    // Every HTTP client sends the length by itself (browsers allow nothing else), so it is signed but not listed.
    const url = this.sign({ method: 'PUT', key, expiresInSeconds, headers: { ...headers, 'content-length': String(size) } });
    return { method: 'PUT', url, headers };
  }

  part({ key, uploadId, part, size, expiresInSeconds }: SignPart): SignedUpload {
    const query = { partNumber: String(requirePart(part)), uploadId };
    const headers: Record<string, string> = size === undefined ? {} : { 'content-length': String(size) };
    return { method: 'PUT', url: this.sign({ method: 'PUT', key, expiresInSeconds, query, headers }), headers: {} };
  }

  get({ key, expiresInSeconds, ...wanted }: SignGet): string {
    const { contentType, contentDisposition } = deliveryOf(wanted);
    const query = { 'response-content-type': contentType, 'response-content-disposition': contentDisposition };
    return this.sign({ method: 'GET', key, expiresInSeconds, query });
  }

  private sign({ method, key, expiresInSeconds, query, headers }: Signing): string {
    const { publicEndpoint, endpoint, bucket, pathStyle, credentials, clock } = this.options;
    const url = new URL(publicEndpoint || endpoint);
    const base = withoutEnd(url.pathname, /\//);
    if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `${base}/${pathStyle ? `${bucket}/` : ''}${requireKey(key)}`;
    return presign(credentials, { method, url, query, headers, expiresInSeconds: requireLifetime(expiresInSeconds), now: clock.now() });
  }
}
