import { Injectable } from '@nestjs/common';
import { DAY, MINUTE, SECOND, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWK, type JWTPayload } from 'jose';
import { isEmail, normalEmail } from '../../shared/domain/email';
import type { Issuer } from '../domain/issuer';
import { IssuerVerifier, TokenRefused, type VouchedClaims } from '../domain/issuer-verifier';
import { IssuerKeys } from './issuer-keys';

const MAX_TOKEN = 16 * 1024;
const MAX_LIFE_SECONDS = DAY / SECOND;
const SKEW_SECONDS = MINUTE / SECOND;
const MAX_SUBJECT = 255;
const MAX_NAME = 255;
const MAX_ROLES = 1_000;
/** Headers that bring keys, addresses of keys or rules of their own. */
const REFUSED_HEADERS = ['crit', 'jku', 'jwk', 'x5u', 'x5c', 'b64'];

/** Tokens of issuers by `jose`: algorithms pinned by the issuer, keys from its key set alone. */
@Injectable()
export class JoseIssuerVerifier extends IssuerVerifier {
  constructor(private readonly keys: IssuerKeys) {
    super();
  }

  async verifyToken(token: string, issuer: Issuer, given?: readonly JsonObject[]): Promise<VouchedClaims> {
    assertHeader(token, issuer.iss_algorithms);
    const payload = await this.payloadOf(token, issuer, given);
    if (typeof payload.exp !== 'number' || payload.exp - Date.now() / SECOND > MAX_LIFE_SECONDS)
      throw new TokenRefused('Its lifetime is longer than a day.');
    return vouched(payload as JsonObject, issuer);
  }

  /** With the keys at hand; when the key it names is not among them, once more with new ones. */
  private async payloadOf(token: string, issuer: Issuer, given: readonly JsonObject[] | undefined): Promise<JWTPayload> {
    try {
      return await payloadBy(given ?? (await this.keys.findCachedKeys(issuer.iss_id)), token, issuer);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || given) throw refused(error);
    }
    const renewed = await this.keys.renewKeys(issuer);
    if (!renewed) throw new TokenRefused('It names a key that the issuer does not publish.');
    return payloadBy(renewed, token, issuer).catch((error: unknown) => {
      throw refused(error);
    });
  }
}

/** Everything that is checked before a key is looked up: size, algorithm, and that it brings no key of its own. */
function assertHeader(token: string, algorithms: readonly string[]): void {
  if (token.length > MAX_TOKEN) throw new TokenRefused('It is larger than 16 KB.');
  const header = headerOf(token);
  if (!header) throw new TokenRefused('It is not a signed token.');
  if (typeof header.alg !== 'string' || !algorithms.includes(header.alg))
    throw new TokenRefused('Its algorithm is not enabled for the issuer.');
  if (REFUSED_HEADERS.some((name) => name in header)) throw new TokenRefused('Its header contains keys or rules of its own.');
  if (header.kid !== undefined && typeof header.kid !== 'string') throw new TokenRefused('Its key id is not a string.');
}

function headerOf(token: string): Record<string, unknown> | null {
  try {
    return { ...decodeProtectedHeader(token) };
  } catch {
    return null;
  }
}

async function payloadBy(
  keys: readonly JsonObject[],
  token: string,
  { iss_issuer, iss_audiences, iss_algorithms }: Issuer,
): Promise<JWTPayload> {
  if (keys.length === 0) throw new errors.JWKSNoMatchingKey();
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: keys as readonly JWK[] as JWK[] }), {
    issuer: iss_issuer,
    audience: [...iss_audiences],
    algorithms: [...iss_algorithms],
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ['exp', 'iss', 'aud'],
  });
  return payload;
}

function refused(error: unknown): TokenRefused {
  if (error instanceof errors.JWTExpired) return new TokenRefused('It has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) return new TokenRefused(`Its claim ${error.claim} is not valid.`);
  if (error instanceof errors.JWKSNoMatchingKey) return new TokenRefused('It names a key that the issuer does not publish.');
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return new TokenRefused('It does not name the key that signed it, and the issuer has several.');
  return new TokenRefused('Its signature is not valid.');
}

function vouched(claims: JsonObject, { iss_claims }: Issuer): VouchedClaims {
  const subject = claimAt(claims, iss_claims.subject);
  if (typeof subject !== 'string' || subject.length > MAX_SUBJECT || storable(subject) !== subject || subject === '')
    throw new TokenRefused('It names no subject.');
  const name = claimAt(claims, iss_claims.name);
  return {
    subject,
    email: addressIn(claims, iss_claims.email),
    name: typeof name === 'string' && name.trim() !== '' ? storable(name) : null,
    roles: iss_claims.roles === null ? null : textsIn(claimAt(claims, iss_claims.roles)),
    claims,
  };
}

/** An address counts only when the issuer says that it belongs to the subject. */
function addressIn(claims: JsonObject, path: string): string | null {
  const text = claimAt(claims, path);
  if (typeof text !== 'string' || claims.email_verified !== true) return null;
  const email = normalEmail(text);
  return isEmail(email) ? email : null;
}

const textsIn = (value: JsonValue | undefined): string[] => {
  const values = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return values.filter((one): one is string => typeof one === 'string').slice(0, MAX_ROLES);
};

/** A claim by its whole name (some hold dots), else step by step. */
function claimAt(claims: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(claims, path)) return claims[path];
  let at: JsonValue | undefined = claims;
  for (const step of path.split('.')) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, step)) return undefined;
    at = (at as JsonObject)[step];
  }
  return at;
}

const storable = (text: string): string => [...text.replace(/[\p{Cc}\p{Cs}]/gu, '').trim()].slice(0, MAX_NAME).join('');
