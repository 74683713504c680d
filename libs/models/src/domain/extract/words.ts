import { normalized } from '@atrium/platform/kernel';
import { isStopWord, languageOf, type Language } from './languages';

const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

/** Pieces that end before a blank, wherever one is in reach: the time that segmenting takes grows with the square of the length. */
const PIECES = /[^]{1,1000}(?!\S)|\S{1,1000}|\s+/gu;

/** The words of a text and what is between them, in their order. */
export const segmentsOf = (text: string): Pick<Intl.SegmentData, 'segment' | 'isWordLike'>[] =>
  (text.match(PIECES) ?? []).flatMap((piece) =>
    // Without its input, of which each segment would hold a copy.
    Array.from(WORDS.segment(piece), ({ segment, isWordLike }) => ({ segment, isWordLike })),
  );

/** The words of a text, folded: in one form of Unicode and in lower case, with a dot on every i. */
export const wordsOf = (text: string): string[] =>
  segmentsOf(normalized(text, 'NFKC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ı', 'i'))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

/** Brings a word to its stem. */
export type Stem = (word: string) => string;

/** How texts of one language are compared: by the stems of the words that say what they are about. */
export interface Reader {
  readonly language: Language;
  /** Each stem once, in the order of its first word. */
  stemsOf(text: string): string[];
}

function readerOf(language: Language, stem: Stem): Reader {
  const known = new Map<string, string>();
  const stemOf = (word: string): string => {
    const seen = known.get(word);
    if (seen !== undefined) return seen;
    const made = stem(word);
    known.set(word, made);
    return made;
  };
  return {
    language,
    stemsOf: (text) => [...new Set(pairsOf(wordsOf(text).map((word) => (isStopWord(word, language) ? null : word))).map(stemOf))],
  };
}

const HAN = /^\p{Script=Han}+$/u;

/**
 * Words; those in Chinese characters as pairs of characters, because texts are not always cut into the same words. Characters that
 * stand alone side by side make pairs as well. Null is a word that says nothing.
 */
function pairsOf(words: readonly (string | null)[]): string[] {
  const found: string[] = [];
  let alone = '';
  const close = (): void => {
    if (alone !== '') found.push(...pairsIn(alone));
    alone = '';
  };
  for (const word of words) {
    const isHan = word !== null && HAN.test(word);
    const isAlone = isHan && [...word].length === 1;
    if (!isAlone) close();
    if (isAlone) alone += word;
    else if (isHan) found.push(...pairsIn(word));
    else if (word !== null) found.push(word);
  }
  close();
  return found;
}

/** `几`, how many, is no part of what it counts. */
function pairsIn(word: string): string[] {
  const characters = [...word].filter((character) => character !== '几');
  return characters.length === 1 ? characters : characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

const STEMMERS: Readonly<Partial<Record<Language, string>>> = { en: 'english', de: 'german', fr: 'french', es: 'spanish', ru: 'russian' };
const stemmers = new Map<Language, Stem>();

/** The reader for the language of a text; its stemmer is loaded with the first text. */
export async function loadReader(text: string): Promise<Reader> {
  const language = languageOf(wordsOf(text));
  // A reader keeps the words of its texts: each has its own, beside the one stemmer of its language.
  return readerOf(language, await stemmerOf(language));
}

async function stemmerOf(language: Language): Promise<Stem> {
  const ready = stemmers.get(language);
  if (ready) return ready;
  const algorithm = STEMMERS[language];
  if (algorithm === undefined) return (word) => word;
  const { newStemmer } = await import('snowball-stemmers');
  const stemmer = newStemmer(algorithm);
  const stem: Stem = (word) => stemmer.stem(word);
  stemmers.set(language, stem);
  return stem;
}
