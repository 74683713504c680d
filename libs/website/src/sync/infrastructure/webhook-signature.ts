import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a hex digest is that of the bytes, without saying by its time how much of it is. */
export function isSignedBy(
  secret: string,
  {
    algorithm,
    bytes,
    signature,
  }: { readonly algorithm: 'sha1' | 'sha256'; readonly bytes: Buffer; readonly signature: string | undefined },
): boolean {
  const expected = createHmac(algorithm, secret).update(bytes).digest();
  const given = Buffer.from(/^[0-9a-f]{1,128}$/i.test(signature ?? '') ? (signature ?? '') : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether two secrets are equal, without saying by its time how much of them is. */
export function sameSecret(given: string | undefined, expected: string): boolean {
  const [left, right] = [given ?? '', expected].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
