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
function sourcesOf(part: string): readonly string[] {
  if (!sources) {
    const found = new Map<string, string[]>();
    for (const [from, to] of RANGES)
      for (let code = from; code < to; code++) {
        const letter = String.fromCodePoint(code);
        const into = folded(letter);
        if (into !== letter) found.set(into, [...(found.get(into) ?? []), letter]);
      }
    sources = found;
  }
  return sources.get(part) ?? [];
}

/** What folds to several letters: `ss`, `ffi`. */
const SEVERAL = ['ffi', 'ffl', 'ff', 'fi', 'fl', 'st', 'ss'];

/**
 * How the parts of a name may be written besides, so that it is found in texts that are not folded: `ss` also as `ß`, `σ` also as `ς`,
 * `é` also with its accent apart. Single letters of ASCII have no others but those of case. Longer parts come first.
 */
export function spellingsOf(name: string): readonly Spelled[] {
  const text = folded(name);
  const letters = [...new Set(text)].filter((letter) => letter > '\x7f');
  return [...SEVERAL.filter((part) => text.includes(part)), ...letters].map((part) => {
    const composed = [...new Set([part.toUpperCase(), ...sourcesOf(part)])].filter((other) => other !== part);
    const apart = [part, ...composed].map((other) => normalized(other, 'NFD'));
    return { part, others: [...new Set([...composed, ...apart])].filter((other) => other !== part) };
  });
}

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

/** A capital ß is found as a small one is, but not the other way round. */
function wordsIn(name: string): readonly string[] {
  const words = name.split(/\s+/).map((word) => [...new Set([word.replaceAll('ß', 'ẞ'), isFoldedAlone(word) ? word : folded(word)])]);
  // Counted before they are made: each word may double them.
  if (words.reduce((count, some) => count * some.length, 2) > MOST_WAYS) return [name, folded(name)];
  return words.reduce<readonly string[]>((all, some) => all.flatMap((way) => some.map((word) => `${way} ${word}`.trim())), ['']);
}

/** Nothing but its case changes. */
const isFoldedAlone = (word: string): boolean => folded(word) === word.toLowerCase();
