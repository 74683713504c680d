/**
 * A text without such characters at its end; `one` is a pattern of a single character. The pattern `x+$` reads each run of them again
 * from every place in it.
 */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The same at both ends. */
export function withoutEnds(text: string, one: RegExp): string {
  const kept = withoutEnd(text, one);
  let start = 0;
  while (start < kept.length && one.test(kept.charAt(start))) start++;
  return kept.slice(start);
}
