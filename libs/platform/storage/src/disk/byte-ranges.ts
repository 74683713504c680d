/** The bytes a GET is answered with: the whole, a part of it, or nothing that exists (416). */
export type RangeAnswer = { readonly kind: 'whole' } | { readonly kind: 'part'; readonly start: number; readonly end: number } | { readonly kind: 'none' };

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;
const WHOLE: RangeAnswer = { kind: 'whole' };

/** Reads a Range header. Several ranges and other units are answered with the whole, as RFC 9110 allows. */
export function rangeAnswer(header: string | undefined, size: number): RangeAnswer {
  const [, first = '', last = ''] = ONE_RANGE.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (first === '' && last === '') return WHOLE;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'none' } : { kind: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return WHOLE;
  return start >= size ? { kind: 'none' } : { kind: 'part', start, end };
}

/** Whether an If-None-Match header names the entity tag (weak comparison). */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`));
