import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { isId } from '@atrium/platform/kernel';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { ACCESS_TOKEN, CallerDirectory, type Credential } from './caller-directory';

const MAX_TOKEN = 16 * 1024;
const MAX_LIFE_SECONDS = 24 * 3_600;

/** `X-Api-Key: atk_<public id>_<secret>`. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly directory: CallerDirectory) {
    super({ header: 'X-Api-Key', prefix: '' }, false);
  }

  validate(key: string): Credential | null {
    return this.directory.readKey(key);
  }
}

interface AccessTokenClaims {
  readonly sub?: unknown;
  readonly sid?: unknown;
  readonly auth_time?: unknown;
  readonly amr?: unknown;
  readonly exp?: unknown;
}

/** `Authorization: Bearer <JWT>`; the algorithm is pinned, the key is chosen by `kid` among our own. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(directory: CallerDirectory) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      issuer: ACCESS_TOKEN.issuer,
      audience: ACCESS_TOKEN.audience,
      algorithms: [ACCESS_TOKEN.algorithm],
      passReqToCallback: true,
      secretOrKeyProvider: (_request: unknown, token: string, done: (error: Error | null, key?: string) => void) => {
        keyFor(directory, token).then(
          (key) => (key ? done(null, key) : done(new Error('unknown key'))),
          () => done(new Error('unknown key')),
        );
      },
    });
  }

  validate(_request: unknown, claims: AccessTokenClaims): Credential | null {
    if (
      !isId(claims.sub) ||
      !isId(claims.sid) ||
      typeof claims.auth_time !== 'number' ||
      typeof claims.exp !== 'number' ||
      !endsSoon(claims.exp)
    )
      return null;
    const methods = Array.isArray(claims.amr) ? claims.amr.filter((method): method is string => typeof method === 'string') : [];
    return {
      kind: 'session',
      user_id: claims.sub,
      session_id: claims.sid,
      auth_time: new Date(claims.auth_time * 1_000),
      methods,
      until: new Date(claims.exp * 1_000),
    };
  }
}

/** A token without an expiry, or with one beyond a day, is not one of ours. */
const endsSoon = (exp: number): boolean => exp - Date.now() / 1_000 <= MAX_LIFE_SECONDS;

/** The header decides only which of our own keys is asked; headers that name a key's address or extensions are refused. */
async function keyFor(directory: CallerDirectory, token: string): Promise<string | null> {
  if (token.length > MAX_TOKEN) return null;
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
  if (typeof header !== 'object' || header === null || ['crit', 'jku', 'x5u', 'jwk'].some((name) => name in header)) return null;
  const { kid } = header as { kid?: unknown };
  return isId(kid) ? directory.findVerificationKey(kid) : null;
}
