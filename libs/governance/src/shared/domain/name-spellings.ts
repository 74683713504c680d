import { folded, normalized } from '@atrium/platform/kernel';
import type { PersonSubject } from './person-subject';

/** A part of a folded text, and everything else that folds to it. */
export interface Spelled {
  readonly part: string;
  readonly others: readonly string[];
}

/** Latin, Greek, Cyrillic and Armenian letters with their ligatures: those of other scripts have no spellings but those of case and of marks apart. */
const RANGES = [
  [0x80, 0x590],
  [0x1e00, 0x2000],
  [0xfb00, 0xfb18],
] as const;

let sources: ReadonlyMap<string, readonly string[]> | undefined;

/** Every letter that folds to something else, by what it folds to. */
function foldings(): ReadonlyMap<string, readonly string[]> {
  if (sources) return sources;
  const found = new Map<string, string[]>();
  for (const [from, to] of RANGES)
    for (let code = from; code < to; code++) {
      const letter = String.fromCodePoint(code);
      const into = folded(letter);
      if (into !== letter) found.set(into, [...(found.get(into) ?? []), letter]);
    }
  sources = found;
  return found;
}

/** What letters fold to that fold to several: `ss`, `ffi`, `եւ`, an `i` with its dot apart. */
const several = (): readonly string[] => [...foldings().keys()].filter((part) => [...part].length > 1);

/**
 * How the parts of a name may be written besides, so that it is found in texts that are not folded: `ss` also as `ß`, `σ` also as `ς`,
 * `é` also with its accent apart. Single letters of ASCII have no others but those of case.
 */
export function spellingsOf(name: string): readonly Spelled[] {
  const text = folded(name);
  const letters = [...new Set(text)].filter((letter) => letter > '\x7f');
  return [...several().filter((part) => text.includes(part)), ...letters].map((part) => {
    const composed = [...new Set([part.toUpperCase(), ...(foldings().get(part) ?? [])])].filter((other) => other !== part);
    const apart = [part, ...composed].map((other) => normalized(other, 'NFD'));
    return { part, others: [...new Set([...composed, ...apart])].filter((other) => other !== part) };
  });
}

/** A stretch of a folded name: letters of ASCII that are always written so, in any case, or what is written in several ways. */
export interface Piece {
  readonly text: string;
  /** A regular expression of all its spellings, also where parts overlap, as `ss` and `st` in `sst`; null where there is one. */
  readonly pattern: string | null;
  /** Its spellings differ by case alone. */
  readonly sameInSmall: boolean;
}

/** Letters of a stretch in which parts overlap; a longer one is taken in pieces, because each letter may double its pattern. */
const LONGEST_STRETCH = 6;

/** A folded name, stretch by stretch. */
export function piecesOf(name: string): readonly Piece[] {
  const letters = [...folded(name)];
  const spelled = spellingsOf(name).map(({ part, others }) => ({ letters: [...part], all: [part, ...others] }));
  const pieces: Piece[] = [];
  for (let at = 0, end = 0; at < letters.length; at = end) {
    const startingAt = (from: number): typeof spelled =>
      spelled.filter(
        (one) => from + one.letters.length <= at + LONGEST_STRETCH && one.letters.every((letter, i) => letter === letters[from + i]),
      );
    end = at + 1;
    for (let from = at; from < end; from++) for (const one of startingAt(from)) end = Math.max(end, from + one.letters.length);
    const text = letters.slice(at, end).join('');
    const patternFrom = (from: number): string => {
      if (from >= end) return '';
      const here = startingAt(from);
      const single = here.some((one) => one.letters.length === 1) ? [] : [`${letters[from]}${patternFrom(from + 1)}`];
      const ways = here.map((one) => `(${one.all.join('|')})${patternFrom(from + one.letters.length)}`);
      return `(${[...ways, ...single].join('|')})`;
    };
    const here = startingAt(at);
    const sameInSmall = here.every(({ all }) => all.every((one) => one.toLowerCase() === text));
    pieces.push({ text, pattern: here.length === 0 ? null : patternFrom(at), sameInSmall });
  }
  return pieces;
}

/** The ways of composing a text: as it is written, all marks in one piece, all apart; one for a text of ASCII. */
export const composedWays = (text: string): readonly string[] => [...new Set([text, normalized(text, 'NFC'), normalized(text, 'NFD')])];

/** As many ways of writing a name are looked for one after another. */
const MOST_WAYS = 32;

/**
 * The person with the address as it is written and folded, and with each word of the name so, all marks in one piece or apart: for what
 * looks for one text after another, in any case.
 */
export function writtenWays({ user_id, email, name }: PersonSubject): readonly PersonSubject[] {
  const names = name === null ? [null] : [...new Set(wordsIn(name).flatMap((way) => [way, normalized(way, 'NFD')]))];
  const emails = email === null ? [null] : [...new Set([email, folded(email)])];
  const count = Math.max(names.length, emails.length);
  return Array.from({ length: count }, (_, at) => ({ user_id, email: emails[at] ?? email, name: names[at] ?? name }));
}

/** A capital ß is found as a small one is, but not the other way round; and not at all where the database knows the case of ASCII alone. */
function wordsIn(name: string): readonly string[] {
  const words = name.split(/\s+/).map((word) => [...new Set([word, capital(word), isFoldedAlone(word) ? word : folded(word)])]);
  // Counted before they are made: each word may multiply them.
  if (words.reduce((count, some) => count * some.length, 2) > MOST_WAYS) return [name, capital(name), folded(name)];
  return words.reduce<readonly string[]>((all, some) => all.flatMap((way) => some.map((word) => `${way} ${word}`.trim())), ['']);
}

const capital = (text: string): string => text.replaceAll('ß', 'ẞ');

/** Nothing but the case of its letters changes, each for one other. */
const isFoldedAlone = (word: string): boolean => folded(word) === word.toLowerCase() && folded(word).length === word.length;
