import { normalized } from '@atrium/platform/kernel';

/** A word as the index knows it: its form without accents, and its stem with the language that made it. */
export interface Lexeme {
  readonly lexeme: string;
  /** Which word of the text it is of, from 0; those of one word share it. */
  readonly position: number;
  readonly form: 'word' | 'stem' | 'pair' | 'character';
}

export type Stem = (word: string) => string;

/** A language and how its words are brought to their stems. */
export interface Stemming {
  readonly language: string;
  readonly stem: Stem;
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no blanks between words, and Hangul, whose words carry their endings: read in pairs of characters. */
const PAIRED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const IS_PAIRED = new RegExp(`[${PAIRED}]`, 'u');
const RUNS = new RegExp(`[${PAIRED}]+|[^${PAIRED}]+`, 'gu');
/** Letters that people leave the accent away from; marks of other scripts are part of their letters. */
const ACCENTS = /[\u0300-\u036f]+/g;
/** The database keeps no longer ones, and nobody looks for them. */
const LONGEST = 60;

/**
 * The word as it is compared: small letters, one form of each character, no accents. Which small letter an I has depends on the
 * language, which a word alone does not say: the one without a dot is the one with it.
 */
export const folded = (word: string): string =>
  normalized(normalized(word, 'NFKD').replace(ACCENTS, ''), 'NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .slice(0, LONGEST);

/** In small letters. Those of İ are two characters, which stemmers would read as two letters. */
const small = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i');

const stemLexeme = (stem: string, language: string): string => `${folded(stem)}~${language}`;

/** The words of a text in their order, each as the lexemes it is known by. */
export function* lexemesOf(text: string, stemmings: readonly Stemming[]): Generator<Lexeme> {
  let position = 0;
  for (const [match] of small(normalized(text, 'NFKC').replaceAll('\u00AD', '')).matchAll(WORDS)) {
    for (const run of IS_PAIRED.test(match) ? (match.match(RUNS) ?? []) : [match]) {
      if (IS_PAIRED.test(run)) {
        yield* pairsOf(run, position);
        position += [...run].length;
      } else yield* formsOf(run, position++, stemmings);
    }
  }
}

function* formsOf(word: string, position: number, stemmings: readonly Stemming[]): Generator<Lexeme> {
  const lexeme = folded(word);
  if (lexeme === '') return;
  yield { lexeme, position, form: 'word' };
  for (const { language, stem } of stemmings) yield { lexeme: stemLexeme(stem(word.slice(0, LONGEST)), language), position, form: 'stem' };
}

function* pairsOf(run: string, from: number): Generator<Lexeme> {
  const characters = [...run];
  for (const [at, character] of characters.entries()) {
    yield { lexeme: character, position: from + at, form: 'character' };
    const next = characters[at + 1];
    if (next !== undefined) yield { lexeme: character + next, position: from + at, form: 'pair' };
  }
}
