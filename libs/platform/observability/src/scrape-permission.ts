import { timingSafeEqual } from 'node:crypto';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Whether a caller may read the metrics: by the bearer token, or from this machine where no token is set. */
export function mayScrape(
  token: string,
  { address = '', authorization = '' }: { readonly address?: string | undefined; readonly authorization?: string | undefined },
): boolean {
  if (token === '') return LOOPBACK.has(address);
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
