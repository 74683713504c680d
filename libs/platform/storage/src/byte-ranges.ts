/** What a GET is answered with: everything, one part (both ends included), or nothing that exists (416). */
export type WantedBytes = 'whole' | 'none' | { readonly start: number; readonly end: number };

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/** Reads `Range`. Other units, several ranges and nonsense mean the whole, as RFC 9110 allows. */
export function wantedBytes(header: string | undefined, size: number): WantedBytes {
  const [, first = '', last = ''] = ONE_RANGE.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (first === '') return last === '' ? 'whole' : suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'none';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

const suffix = (length: number, size: number): WantedBytes =>
  length === 0 || size === 0 ? 'none' : { start: Math.max(0, size - length), end: size - 1 };

/** Whether an If-None-Match header names the entity tag (weak comparison). */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`));
