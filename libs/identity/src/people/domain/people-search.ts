/** What one alternative of a search demands: all of `needles`, none of `without`; as patterns of LIKE. */
export interface SearchTerms {
  readonly needles: readonly string[];
  readonly without: readonly string[];
}

const MAX_TERMS = 16;
const TERM = /(-?)(?:"([^"]*)"|(\S+))/g;

/** A text that may stand anywhere; `%` and `_` stand for themselves. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * A search as people write it for the web: words and "phrases" that must all be there, `-` in front of what must not,
 * `or` between alternatives. The longest needle comes first: it finds the rows, the others are asked of what it found.
 */
export function readSearch(text: string): SearchTerms[] {
  const alternatives: { needles: string[]; without: string[] }[] = [{ needles: [], without: [] }];
  for (const [, minus, phrase, word] of [...text.matchAll(TERM)].slice(0, MAX_TERMS)) {
    if (word?.toLowerCase() === 'or' && minus === '') {
      alternatives.push({ needles: [], without: [] });
      continue;
    }
    const term = (phrase ?? word ?? '').trim();
    const last = alternatives.at(-1);
    if (term !== '') last?.[minus === '-' ? 'without' : 'needles'].push(containsPattern(term));
  }
  return alternatives
    .filter(({ needles, without }) => needles.length + without.length > 0)
    .map(({ needles, without }) => ({ needles: needles.sort((a, b) => b.length - a.length), without }));
}
