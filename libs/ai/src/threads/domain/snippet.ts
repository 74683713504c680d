/** The place of a word in a snippet, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export interface Snippet {
  readonly text: string;
  readonly matches: readonly Match[];
}

const LENGTH = 240;
const BEFORE = 60;
/** Words of a query that are looked for: the text is read once for each. */
const MOST_WORDS = 50;

/** The stretch of a text around the first of the words of a query, as plain text, with the places of words of the query in it. */
export function snippetOf(text: string, query: string): Snippet {
  const words = [...new Set(query.match(/[\p{L}\p{N}\u0307]+/gu))].slice(0, MOST_WORDS);
  const first = words.length === 0 ? -1 : (wordsIn(text, words)[0]?.start ?? -1);
  const from = first <= BEFORE ? 0 : wholeFrom(text, first - BEFORE);
  const part = text.slice(from, wholeTo(text, from + LENGTH));
  const cut = `${from > 0 ? '… ' : ''}${part.replace(/\s/gu, ' ').trimEnd()}${from + part.length < text.length ? ' …' : ''}`;
  return { text: cut, matches: words.length === 0 ? [] : wordsIn(cut, words) };
}

/** Each letter that searches take for an i (`dotless`). */
const ANY_I = /[iIıİ]\u0307?/gu;

/** Whole words alone, in any case and with any i. */
function wordsIn(text: string, words: readonly string[]): Match[] {
  const spelled = words.map((word) => word.replace(ANY_I, '[iIıİ]\\u0307?'));
  // eslint-disable-next-line no-restricted-syntax -- made of letters and figures alone
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${spelled.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

/** Never between the halves of a character. */
const wholeFrom = (text: string, at: number): number => (isLow(text, at) ? at - 1 : at);
const wholeTo = (text: string, at: number): number => (at < text.length && isLow(text, at) ? at - 1 : at);
const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
