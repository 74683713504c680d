import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface StrictCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

/** What a signature is checked against; the URL is the one on the wire. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface VerifiedSignature {
  readonly presigned: boolean;
  readonly signedHeaders: readonly string[];
  /** SHA-256 that the body must have, or UNSIGNED-PAYLOAD. */
  readonly payload: string;
}

/** A request that S3 answers with an error document. */
export class S3Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message = code,
  ) {
    super(message);
  }
}

interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly time: string;
  readonly payload: string;
  readonly expiresInSeconds: number | null;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SKEW_MS = 15 * 60 * 1000;
const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * Verifies AWS Signature Version 4 in a header or in the query, written from the published rules and apart from the
 * code that signs, so that one mistake cannot hide in both.
 */
export function verifySignature(request: SignedRequest, { accessKey, secretKey, region }: StrictCredentials, now: Date): VerifiedSignature {
  const [path = '/', rawQuery = ''] = request.url.split('?', 2);
  const query =
    rawQuery === ''
      ? []
      : rawQuery
          .split('&')
          .map((pair): [string, string] => [decode(pair.split('=', 1)[0] ?? ''), decode(pair.slice(pair.indexOf('=') + 1 || pair.length))]);
  const claim = claimOf(request, new Map(query));
  const [claimedKey, day, claimedRegion, service, end] = claim.credential.split('/');
  if (claimedKey !== accessKey) throw new S3Refusal(403, 'InvalidAccessKeyId');
  if (day !== claim.time.slice(0, 8) || claimedRegion !== region || service !== 's3' || end !== 'aws4_request')
    throw new S3Refusal(403, 'AuthorizationHeaderMalformed');
  requireTimely(claim, now);
  const signedHeaders = claim.signedHeaders.split(';');
  requireSignedHeaders(request.headers, signedHeaders);

  const canonicalQuery = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonicalHeaders = signedHeaders
    .map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('');
  const canonical = `${request.method}\n${path}\n${canonicalQuery}\n${canonicalHeaders}\n${claim.signedHeaders}\n${claim.payload}`;
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `${ALGORITHM}\n${claim.time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`;
  let key: Buffer = Buffer.from(`AWS4${secretKey}`);
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  const expected = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(claim.signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new S3Refusal(403, 'SignatureDoesNotMatch');
  return { presigned: claim.expiresInSeconds !== null, signedHeaders, payload: claim.payload };
}

function claimOf(request: SignedRequest, query: ReadonlyMap<string, string>): Claim {
  if (query.has('X-Amz-Algorithm')) {
    const of = (name: string): string => query.get(name) ?? refuse('AuthorizationQueryParametersError');
    if (of('X-Amz-Algorithm') !== ALGORITHM) refuse('AuthorizationQueryParametersError');
    const expiresInSeconds = Number(of('X-Amz-Expires'));
    if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > 604_800)
      refuse('AuthorizationQueryParametersError');
    return {
      credential: of('X-Amz-Credential'),
      signedHeaders: of('X-Amz-SignedHeaders'),
      signature: of('X-Amz-Signature'),
      time: of('X-Amz-Date'),
      payload: 'UNSIGNED-PAYLOAD',
      expiresInSeconds,
    };
  }
  const [, credential = '', signedHeaders = '', signature = ''] =
    AUTHORIZATION.exec(request.headers.authorization ?? '') ?? refuse('AccessDenied');
  const payload = String(request.headers['x-amz-content-sha256'] ?? refuse('MissingSecurityHeader'));
  return { credential, signedHeaders, signature, time: String(request.headers['x-amz-date'] ?? ''), payload, expiresInSeconds: null };
}

function requireTimely({ time, expiresInSeconds }: Claim, now: Date): void {
  const [, year, month, day, hour, minute, second] = TIME.exec(time) ?? refuse('AccessDenied');
  const age = now.getTime() - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (age < -SKEW_MS) refuse('RequestTimeTooSkewed');
  if (expiresInSeconds === null && age > SKEW_MS) refuse('RequestTimeTooSkewed');
  if (expiresInSeconds !== null && age > expiresInSeconds * 1000) refuse('AccessDenied', 'Request has expired');
}

/** The host and every x-amz header that is sent must be signed, and every signed header must be sent. */
function requireSignedHeaders(headers: IncomingHttpHeaders, signed: readonly string[]): void {
  const needed = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  if (!signed.includes('host') || needed.some((name) => !signed.includes(name)))
    refuse('AccessDenied', 'There were headers present in the request which were not signed');
  if (signed.join() !== [...signed].sort().join() || signed.some((name) => headers[name] === undefined)) refuse('SignatureDoesNotMatch');
}

function refuse(code: string, message?: string): never {
  throw new S3Refusal(code === 'AuthorizationQueryParametersError' ? 400 : 403, code, message);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Refusal(400, 'InvalidURI');
  }
}

const encode = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
