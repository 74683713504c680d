import { Problem } from '@atrium/platform/kernel';

export const unauthenticated = (
  detail = 'The credential is unknown, expired or revoked. Sign in again, or use another API key.',
): Problem => new Problem('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="atrium"' } });

const KEY = /^(bearer\s+)?atk_/i;

/** Nothing was sent that could be read: says what to send, and where a key was sent in the place of a token or the other way round. */
export function noCredential({
  authorization,
  'x-api-key': key,
}: {
  readonly authorization?: string | undefined;
  readonly 'x-api-key'?: string | string[] | undefined;
}): Problem | null {
  if (authorization !== undefined && KEY.test(authorization))
    return unauthenticated('This is an API key. Send it in the header X-Api-Key, without Bearer.');
  if (typeof key === 'string' && /^(bearer\s|eyJ)/i.test(key))
    return unauthenticated('This is an access token. Send it as Authorization: Bearer.');
  if (authorization !== undefined && !/^bearer\s/i.test(authorization))
    return unauthenticated('The Authorization header must contain a Bearer token. Send API keys in the header X-Api-Key.');
  if (authorization === undefined && key === undefined)
    return unauthenticated('The request has no credential. Send X-Api-Key or Authorization: Bearer.');
  return null;
}
