import { Problem } from '@atrium/platform/kernel';

export const unauthenticated = (detail = 'The credential is not valid: it is unknown, expired or revoked.'): Problem =>
  new Problem('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="atrium"' } });

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
    return unauthenticated('This is an API key; send it in the header X-Api-Key, without Bearer.');
  if (typeof key === 'string' && /^(bearer\s|eyJ)/i.test(key))
    return unauthenticated('This is an access token; send it as Authorization: Bearer.');
  if (authorization !== undefined && !/^bearer\s/i.test(authorization))
    return unauthenticated('Authorization takes a Bearer token; API keys go in the header X-Api-Key.');
  if (authorization === undefined && key === undefined)
    return unauthenticated('No credential was sent; send X-Api-Key, or Authorization: Bearer.');
  return null;
}
