import { folded, normalized, withoutEnd } from '@atrium/platform/kernel';
import { segmentsOf, sentencesOf, wordsOf, type Reader } from '@atrium/models';

/** A phrase of a text, and how much of it the text is about, 0 to 1. */
export interface KeyPhrase {
  readonly text: string;
  readonly score: number;
}

const LONGEST_PHRASE = 4;
const FIRST_SENTENCES = 5;

/** Phrases between stop words and marks, by how often their words occur beside others (RAKE), best first. */
export function keyPhrases(text: string, reader: Reader): KeyPhrase[] {
  const phrases = phrasesOf(text, reader);
  const beside = new Map<string, { often: number; degree: number }>();
  for (const words of phrases)
    for (const word of words.map(plain)) {
      const { often, degree } = beside.get(word) ?? { often: 0, degree: 0 };
      beside.set(word, { often: often + 1, degree: degree + words.length });
    }
  const scores = new Map<string, { text: string; score: number }>();
  for (const words of phrases) {
    const key = words.map(plain).join(' ');
    const score = words.reduce((sum, word) => {
      const { often = 1, degree = 1 } = beside.get(plain(word)) ?? {};
      return sum + degree / often + Math.log(often);
    }, 0);
    if (!scores.has(key)) scores.set(key, { text: words.join(' '), score });
  }
  const sorted = [...scores.values()].sort((one, other) => other.score - one.score || (one.text < other.text ? -1 : 1));
  const most = sorted[0]?.score ?? 1;
  return sorted.map((phrase) => ({ text: phrase.text, score: rounded(phrase.score / most) }));
}

/** The allowed words that occur in the text, most frequent first. */
export function allowedKeywords(text: string, allowed: readonly string[]): KeyPhrase[] {
  const within = ` ${wordsOf(text).join(' ')} `;
  const counted = [...new Set(allowed)].map((word) => ({ word, often: within.split(` ${wordsOf(word).join(' ')} `).length - 1 }));
  const present = counted.filter(({ word, often }) => often > 0 && wordsOf(word).length > 0).sort((one, other) => other.often - one.often);
  const most = present[0]?.often ?? 1;
  return present.map(({ word, often }) => ({ text: word, score: rounded(often / most) }));
}

/** The best key phrase of the first sentences, at most so long; null where there is none. */
export function titleOf(text: string, most: number, reader: Reader): string | null {
  const sentences = sentencesOf(text).slice(0, FIRST_SENTENCES);
  const beginning = sentences.length > 0 ? sentences.map((sentence) => sentence.text).join('\n') : text;
  const [best] = keyPhrases(beginning, reader);
  return best ? shortenedPhrase(best.text.charAt(0).toUpperCase() + best.text.slice(1), most) : null;
}

/** Whole words, as long as they fit. */
export function shortenedPhrase(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1);
  const at = cut.lastIndexOf(' ');
  return withoutEnd(at > 0 ? cut.slice(0, at) : text.slice(0, most), /[\s,;:–-]/);
}

function phrasesOf(text: string, reader: Reader): string[][] {
  const phrases: string[][] = [];
  let open: string[] = [];
  const known = new Map<string, boolean>();
  const saysNothing = (word: string): boolean => {
    const said = known.get(word) ?? reader.stemsOf(word).length === 0;
    known.set(word, said);
    return said;
  };
  const close = (): void => {
    if (open.length > 0 && open.length <= LONGEST_PHRASE && open.some((word) => /\p{L}{3}/u.test(word))) phrases.push(open);
    open = [];
  };
  for (const { segment, isWordLike } of segmentsOf(text)) {
    if (!isWordLike) {
      if (!/^[ \t]+$/.test(segment) && segment !== '-') close();
    } else if (saysNothing(segment)) close();
    else open.push(segment);
  }
  close();
  return phrases;
}

const plain = (word: string): string => folded(normalized(word, 'NFKC'));
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;
