import { Problem } from '@atrium/platform/kernel';

export const unauthenticated = (detail = 'Send a valid X-Api-Key or Authorization: Bearer header.'): Problem =>
  new Problem('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="atrium"' } });
