import type { JsonObject } from '@atrium/platform/kernel';
import type { Issuer } from './issuer';

/** What an issuer says of somebody, once its signature and all rules of tokens were found good. */
export interface VouchedClaims {
  readonly subject: string;
  /** Null where the token names none, or the issuer does not say that it belongs to the subject. */
  readonly email: string | null;
  readonly name: string | null;
  /** Null where the issuer's roles are not looked at. */
  readonly roles: readonly string[] | null;
  readonly claims: JsonObject;
}

/** The token is none that its issuer vouches for. The reason is for administrators who test, never for its sender. */
export class TokenRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'TokenRefused';
  }
}

const MAX_TOKEN = 16 * 1024;
const MAX_ISSUER = 512;

/** Which issuer a token says it is of; nothing is proven by that. Null when it is no token, or too large a one. */
export function claimedIssuer(token: string): string | null {
  const body = token.length > MAX_TOKEN ? undefined : token.split('.')[1];
  try {
    const { iss } = JSON.parse(Buffer.from(body ?? '', 'base64url').toString('utf8')) as { readonly iss?: unknown };
    return typeof iss === 'string' && iss.length <= MAX_ISSUER && !/\p{Cc}|\p{Cs}/u.test(iss) ? iss : null;
  } catch {
    return null;
  }
}

/** Port: distinguishes tokens that an issuer has signed from all others. Throws `TokenRefused`. Nothing a token says is ever fetched. */
export abstract class IssuerVerifier {
  /** `keys`: those to verify with, instead of the issuer's as they are known; nothing is fetched then. */
  abstract verifyToken(token: string, issuer: Issuer, keys?: readonly JsonObject[]): Promise<VouchedClaims>;
}
