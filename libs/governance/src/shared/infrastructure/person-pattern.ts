import { join, sql, type Sql } from '@atrium/platform/database';
import { folded } from '@atrium/platform/kernel';
import { composedWays, piecesOf, type Piece } from '../domain/name-spellings';
import type { PersonSubject } from '../domain/person-subject';

/** What is made of a person is made once: their texts are looked for in hundreds of columns, in stretches. */
function keptFor<V>(make: (person: PersonSubject) => V): (person: PersonSubject) => V {
  const made = new WeakMap<PersonSubject, V>();
  return (person) => {
    const value = made.get(person) ?? make(person);
    made.set(person, value);
    return value;
  };
}

/**
 * The regular expression, in any case, that finds address and name of a person in a text: the name in every spelling that folds to the
 * same, and as it is written. Null where there is nothing to look for.
 */
export const personPattern = keptFor(({ email, name }: PersonSubject): Sql => {
  const addresses = email === null ? [null] : [...new Set([email, folded(email)])];
  const names = name === null ? [] : [spelledPattern(name), ...writtenWaysOf(name).map((way) => sql`person_pattern(NULL, ${way}::text)`)];
  return sql`NULLIF(concat_ws('|', ${join([...addresses.map((one) => sql`person_pattern(${one}::text, NULL)`), ...names])}), '')`;
});

/** Each stretch with several spellings is a sign of its own, as often as it has letters, until the name has become a pattern. */
function spelledPattern(name: string): Sql {
  const signs = new Map<string, { readonly sign: string; readonly pattern: string }>();
  let next = FIRST_SIGN;
  const text = piecesOf(name)
    .map((piece) => {
      if (piece.pattern === null) return piece.text;
      while (name.includes(String.fromCodePoint(next))) next++;
      const known = signs.get(piece.text) ?? { sign: String.fromCodePoint(next++).repeat([...piece.text].length), pattern: piece.pattern };
      signs.set(piece.text, known);
      return known.sign;
    })
    .join('');
  return [...signs.values()].reduce(
    (made, { sign, pattern }) => sql`replace(${made}, ${sign}::text, ${pattern}::text)`,
    sql`person_pattern(NULL, ${text}::text)`,
  );
}

/** The first of the letters for private use, which no name has. */
const FIRST_SIGN = 0xe000;

/** Condition on a text: it has the person. What is looked for first costs less than the regular expression. */
export function mentionsPerson(text: Sql, person: PersonSubject): Sql {
  const [needles, plain] = [personNeedles(person), personNeedles(person, { ofAscii: true })];
  const any =
    needles.join() === plain.join()
      ? sql`${[...needles]}::text[]`
      : sql`CASE WHEN 'É' ILIKE 'é' THEN ${[...needles]}::text[] ELSE ${[...plain]}::text[] END`;
  return sql`(${text} ILIKE ANY (${any}) AND ${text} ~* ${personPattern(person)})`;
}

/**
 * What one at least is in every text that has the person, in any case, for a search without a regular expression first; `%` matches any
 * letters. `ofAscii` for a database whose locale knows the case of ASCII alone.
 */
const needlesOf = ({ email, name }: PersonSubject, ofAscii: boolean): readonly string[] => {
  const addresses = email === null ? [] : [email, folded(email)].map((one) => one.split('@')[0] ?? '');
  const spelled =
    name === null
      ? []
      : longest(
          folded(name)
            .split(/\s+/)
            .map((word) => sameInAll(word, ofAscii)),
        );
  const written = name === null ? [] : writtenWaysOf(name).flatMap((way) => longest(way.trim().split(/\s+/).map(escaped)));
  return [...new Set([...addresses.map(escaped), ...spelled, ...written])].map((needle) => `%${needle}%`);
};

const needlesOfAll = keptFor((person: PersonSubject) => needlesOf(person, false));
const needlesOfAscii = keptFor((person: PersonSubject) => needlesOf(person, true));

export const personNeedles = (person: PersonSubject, { ofAscii = false } = {}): readonly string[] =>
  (ofAscii ? needlesOfAscii : needlesOfAll)(person);

/** As the name is written, where its letters may fold to others. */
const writtenWaysOf = (name: string): readonly string[] => (folded(name) === name.toLowerCase() && isAscii(name) ? [] : composedWays(name));

const isAscii = (text: string): boolean => [...text].every((letter) => letter <= '\x7f');

/** A word with a wildcard for each stretch that is spelled in more ways than small and capital. */
const sameInAll = (word: string, ofAscii: boolean): string =>
  piecesOf(word)
    .map((piece) => (isPlain(piece, ofAscii) ? escaped(piece.text) : '%'))
    .join('');

const isPlain = ({ pattern, sameInSmall }: Piece, ofAscii: boolean): boolean => pattern === null || (sameInSmall && !ofAscii);

/** The one with most letters that are not wildcards; each word of a name is where the name is. */
const longest = (words: readonly string[]): readonly string[] => [...words].sort((a, b) => plainOf(b) - plainOf(a)).slice(0, 1);

const plainOf = (needle: string): number => needle.replaceAll('%', '').length;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&').replace(/"/g, '%');
