import { createHash, createHmac } from 'node:crypto';

/** Who signs, and for which region. */
export interface S3Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface PresignRequest {
  readonly method: 'GET' | 'PUT';
  /** Origin and path, not encoded beyond what a key needs; a query in it is ignored. */
  readonly url: URL;
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that the client must send exactly so; `host` is always signed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly expiresInSeconds: number;
  readonly now: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 's3';

/**
 * A presigned URL of AWS Signature Version 4. Unlike the client library's, it can sign headers: with `content-length`
 * and `x-amz-checksum-sha256` among them, storage itself refuses another body than the one that was promised.
 */
export function presign(credentials: S3Credentials, request: PresignRequest): string {
  const { method, url, expiresInSeconds } = request;
  const time = amzTime(request.now);
  const scope = `${time.slice(0, 8)}/${credentials.region}/${SERVICE}/aws4_request`;
  const headers = canonicalHeaders({ ...request.headers, host: url.host });
  const signedHeaders = headers.map(([name]) => name).join(';');
  const path = url.pathname
    .split('/')
    .map((segment) => encodeStrictly(decodeURIComponent(segment)))
    .join('/');
  const query = canonicalQuery({
    ...request.query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${credentials.accessKey}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expiresInSeconds),
    'X-Amz-SignedHeaders': signedHeaders,
  });
  const canonical = [
    method,
    path,
    query,
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const text = [ALGORITHM, time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const signature = hmac(signingKey(credentials.secretKey, time.slice(0, 8), credentials.region, SERVICE), text).toString('hex');
  return `${url.origin}${path}?${query}&X-Amz-Signature=${signature}`;
}

/** The key of one day, region and service. */
export function signingKey(secretKey: string, day: string, region: string, service: string): Buffer {
  return [day, region, service, 'aws4_request'].reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretKey}`, 'utf8'));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** `20130524T000000Z` */
function amzTime(now: Date): string {
  return now.toISOString().replace(/\.\d{3}|[-:]/g, '');
}

function canonicalHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&');
}

/** RFC 3986: everything but letters, digits and `-._~` is encoded. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
