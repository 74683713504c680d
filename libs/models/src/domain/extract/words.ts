import { normalized } from '@atrium/platform/kernel';
import { isStopWord, languageOf, type Language } from './languages';

const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

/** Pieces that end before a blank, wherever one is in reach: the time that segmenting takes grows with the square of the length. */
const PIECES = /[^]{1,1000}(?!\S)|\S{1,1000}|\s+/gu;

/** The words of a text and what is between them, in their order. */
export const segmentsOf = (text: string): Pick<Intl.SegmentData, 'segment' | 'isWordLike'>[] =>
  (text.match(PIECES) ?? []).flatMap((piece) => [...WORDS.segment(piece)]);

/** The words of a text, folded: in one form of Unicode and in lower case. */
export const wordsOf = (text: string): string[] =>
  segmentsOf(normalized(text, 'NFKC').toLowerCase())
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
    stemsOf: (text) => [...new Set(wordsOf(text).flatMap((word) => (isStopWord(word, language) ? [] : [stemOf(word)])))],
  };
}

const STEMMERS: Readonly<Record<Language, string>> = { en: 'english', de: 'german', fr: 'french', es: 'spanish' };
const readers = new Map<Language, Reader>();

/** The reader for the language of a text; its stemmer is loaded with the first text. */
export async function loadReader(text: string): Promise<Reader> {
  const language = languageOf(wordsOf(text));
  const ready = readers.get(language);
  if (ready) return ready;
  const { newStemmer } = await import('snowball-stemmers');
  const stemmer = newStemmer(STEMMERS[language]);
  return readerOf(language, (word) => stemmer.stem(word));
}
