import { folded } from '@atrium/platform/kernel';
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
    const apart = [part, ...composed].map((other) => other.normalize('NFD'));
    return { part, others: [...new Set([...composed, ...apart])].filter((other) => other !== part) };
  });
}

/** The person with the name and the address as they are written, folded, and each of these with its marks apart: for what looks for one text after another. */
export function writtenWays(person: PersonSubject): readonly PersonSubject[] {
  const ways = [person, { ...person, email: person.email && folded(person.email), name: person.name && folded(person.name) }];
  const all = [...ways, ...ways.map((way) => ({ ...way, name: way.name && way.name.normalize('NFD') }))];
  const seen = new Map(all.map((way) => [`${way.email ?? ''}\n${way.name ?? ''}`.toLowerCase(), way]));
  return [...seen.values()];
}
