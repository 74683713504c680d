import { normalized } from '@atrium/platform/kernel';
import { lexemesOf, type Lexeme, type Stemming } from '../../passages/domain/lexemes';

/** One form in which a word of the query occurs in passages, and how much it counts. */
export interface WordForm {
  readonly lexeme: string;
  readonly weight: number;
  /** Of stems in several languages the best one counts; the exact form counts besides. */
  readonly kind: Lexeme['form'];
}

/** A word of the query, or a pair of characters of it. */
export interface QueryWord {
  /** As it is shown in explanations. */
  readonly word: string;
  readonly forms: readonly WordForm[];
}

/** A query as the text channel reads it: what is looked for, what has to stand there as it is, and what must not. */
export interface TextQuery {
  readonly words: readonly QueryWord[];
  readonly phrases: readonly (readonly string[])[];
  readonly excluded: readonly string[];
}

/** That a passage has the very form adds to its having the stem. */
const WEIGHTS: Readonly<Record<Lexeme['form'], number>> = { stem: 1, word: 0.5, pair: 1, character: 0.3 };
/** Words beyond are not looked for: nobody asks so much, and each costs a look. */
const MOST_WORDS = 64;
const PHRASE = /["“”„«»]([^"“”„«»]+)["“”„«»]/g;
const EXCLUDED = /(?<=^|\s)-(?=\p{L})\S+/gu;

/** Reads a query: `"in these words"` has to stand there, `-word` must not; all else is looked for. */
export function readQuery(query: string, stemmings: readonly Stemming[], isStopWord: (word: string) => boolean): TextQuery {
  const phrases = [...query.matchAll(PHRASE)].map(([, phrase = '']) => exactly(phrase)).filter((phrase) => phrase.length > 1);
  const outside = query.replace(PHRASE, (_, phrase: string) => ` ${phrase} `);
  const excluded = [...outside.matchAll(EXCLUDED)].flatMap(([word]) => exactly(word));
  const words = new Map<string, QueryWord>();
  for (const word of wordsOf(outside.replace(EXCLUDED, ' '), stemmings))
    if (!words.has(word.word) && !isStopWord(word.word) && words.size < MOST_WORDS) words.set(word.word, word);
  return { words: [...words.values()], phrases, excluded };
}

/** The words of a query in small letters, as lists of stop words spell them. */
export const spelledWordsOf = (text: string): string[] => [
  ...new Set(
    normalized(text, 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [],
  ),
];

/** The forms of each word together; a single character counts as a word, one beside others as a part of their pairs. */
function wordsOf(text: string, stemmings: readonly Stemming[]): QueryWord[] {
  const lexemes = [...lexemesOf(text, stemmings)];
  const paired = new Set(lexemes.filter(({ form }) => form === 'pair').flatMap(({ position }) => [position, position + 1]));
  const words: QueryWord[] = [];
  for (const [at, { lexeme, position, form }] of lexemes.entries()) {
    if (form === 'stem') continue;
    if (form === 'word') {
      const forms = stemsAfter(lexemes, at).map((stem): WordForm => ({ lexeme: stem.lexeme, weight: WEIGHTS.stem, kind: 'stem' }));
      words.push({ word: lexeme, forms: [{ lexeme, weight: forms.length > 0 ? WEIGHTS.word : 1, kind: 'word' }, ...forms] });
    } else {
      const weight = form === 'character' && !paired.has(position) ? 1 : WEIGHTS[form];
      words.push({ word: lexeme, forms: [{ lexeme, weight, kind: form }] });
    }
  }
  return words;
}

/** The stems of a word come directly behind it. */
function stemsAfter(lexemes: readonly Lexeme[], word: number): readonly Lexeme[] {
  let end = word + 1;
  while (lexemes[end]?.form === 'stem') end++;
  return lexemes.slice(word + 1, end);
}

/** What of a text has to follow one upon the other: words, and pairs of characters where there are any. */
function exactly(text: string): string[] {
  const lexemes = [...lexemesOf(text, [])];
  const paired = new Set(lexemes.filter(({ form }) => form === 'pair').flatMap(({ position }) => [position, position + 1]));
  return lexemes.filter(({ form, position }) => form !== 'character' || !paired.has(position)).map(({ lexeme }) => lexeme);
}
