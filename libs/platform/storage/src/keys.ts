const KEY = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;
const PREFIX = /^(?:[a-z0-9-]+\/)*[a-z0-9-]*$/;
const LONGEST_KEY = 512;
const LONGEST_SEGMENT = 128;
const SECONDS_A_WEEK = 7 * 24 * 3600;

export const MOST_PARTS = 10_000;
export const MAX_PART_BYTES = 5 * 1024 ** 3;

/**
 * Whether the text has the one form of a key: lower-case letters, digits and hyphens between slashes. A key that is a
 * number as a whole is none: S3 clients read it as one in a listing and lose its leading zeros.
 */
export const isObjectKey = (key: string): boolean =>
  key.length <= LONGEST_KEY &&
  KEY.test(key) &&
  Number.isNaN(Number(key)) &&
  key.split('/').every((segment) => segment.length <= LONGEST_SEGMENT);

/** Keys are made by the service, so a malformed one is a fault of the service, which a caller could not correct. */
export function requireKey(key: string): string {
  if (isObjectKey(key)) return key;
  throw new RangeError('Not the key of an object.');
}

export function requirePrefix(prefix: string): string {
  if (prefix.length <= LONGEST_KEY && PREFIX.test(prefix)) return prefix;
  throw new RangeError('Not the prefix of object keys.');
}

export function requirePart(part: number): number {
  if (Number.isInteger(part) && part >= 1 && part <= MOST_PARTS) return part;
  throw new RangeError(`A part number must be between 1 and ${MOST_PARTS}.`);
}

/** Lifetimes that every backend can sign. */
export function requireLifetime(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= SECONDS_A_WEEK) return seconds;
  throw new RangeError('The lifetime of a signed URL must be between a second and a week.');
}

/** Ranges as both backends understand them. */
export function requireRange(range: { readonly start: number; readonly end?: number }): void {
  const { start, end = start } = range;
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start) return;
  throw new RangeError('Not a byte range.');
}
