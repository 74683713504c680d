import { createHash } from 'node:crypto';

/** What a page says. */
export interface PageText {
  readonly title: string | null;
  readonly text: string;
}

/** Part of all words of two pages that both have: pages of one text differ by a date, a count or a greeting. */
const MOSTLY = 0.9;
/** Words that are compared, from the beginning. */
const MOST_WORDS = 20_000;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

/** Digest of all that a page says. */
export const hashOf = ({
  title,
  markdown,
  language,
}: {
  readonly title: string | null;
  readonly markdown: string;
  readonly language: string | null;
}): string =>
  createHash('sha256')
    .update(JSON.stringify([title, markdown, language]))
    .digest('base64url');

/** Whether two pages have one title and, in whatever order, nearly the same words. */
export function saysTheSame(one: PageText, other: PageText): boolean {
  if (one.title !== other.title) return false;
  const left = countsOf(one.text);
  const right = countsOf(other.text);
  let shared = 0;
  let all = 0;
  for (const [word, count] of left) {
    const beside = right.get(word) ?? 0;
    shared += Math.min(count, beside);
    all += Math.max(count, beside);
  }
  for (const [word, count] of right) if (!left.has(word)) all += count;
  return shared >= all * MOSTLY;
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let words = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (++words > MOST_WORDS) break;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
