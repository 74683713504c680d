import { lexemesOf, type Lexeme, type Stemming } from '../domain/lexemes';
import type { Passage } from '../domain/passage';

/** The words of a passage as the index keeps them, and how many its text has. */
export interface PassageWords {
  readonly tsv: string;
  readonly length: number;
}

/** The highest position that the database keeps; those behind it are all the last one. */
const LAST = 16_383;
/** Headings and titles stand apart, so that no word of theirs is near one of the text. */
const GAP = 50;

/** A tsvector of the text (D), the headings above it (B) and the title of its source (A). */
export function passageWords(
  title: string,
  { text, heading, lead }: Pick<Passage, 'text' | 'heading' | 'lead'>,
  stemmings: readonly Stemming[],
): PassageWords {
  const places = new Map<string, string[]>();
  const put = (words: Iterable<Lexeme>, from: number, weight: string): number => {
    let last = from;
    for (const { lexeme, position } of words) {
      last = from + position + 1;
      const known = places.get(lexeme);
      const place = `${Math.min(last, LAST)}${weight}`;
      if (known) known.push(place);
      else places.set(lexeme, [place]);
    }
    return last;
  };
  const length = put(lexemesOf(lead === '' ? text : `${lead}\n${text}`, stemmings), 0, '');
  const behind = put(lexemesOf(heading, stemmings), length + GAP, 'B');
  put(lexemesOf(title, stemmings), behind + GAP, 'A');
  return {
    tsv: [...places].map(([lexeme, at]) => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}':${at.join(',')}`).join(' '),
    length,
  };
}
