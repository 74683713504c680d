import { join, sql, type Sql } from '@atrium/platform/database';
import { folded } from '@atrium/platform/kernel';
import { spellingsOf } from '../domain/name-spellings';
import type { PersonSubject } from '../domain/person-subject';

/**
 * The regular expression, in any case, that finds address and name of a person in a text: the name in every spelling that folds to the
 * same. Null where there is nothing to look for.
 */
export function personPattern({ email, name }: PersonSubject): Sql {
  const addresses = email === null ? [null] : [...new Set([email, folded(email)])];
  const called = spellingsOf(name ?? '').reduce(
    (pattern, { part, others }) => sql`replace(${pattern}, ${part}::text, ${`(${[part, ...others].join('|')})`}::text)`,
    sql`person_pattern(NULL, ${name && folded(name)}::text)`,
  );
  return sql`NULLIF(concat_ws('|', ${join([...addresses.map((one) => sql`person_pattern(${one}::text, NULL)`), called])}), '')`;
}

/** What one at least is in every text that has the person, in any case, for a search without a regular expression first; `%` matches any letters. */
export function personNeedles({ email, name }: PersonSubject): readonly string[] {
  const addresses = email === null ? [] : [email, folded(email)].map((one) => one.split('@')[0] ?? '');
  const words =
    name === null
      ? []
      : folded(name)
          .split(/\s+/)
          .map((word) => [word, sameInAll(word)] as const);
  const longest = words.sort(([, a], [, b]) => plainOf(b) - plainOf(a))[0]?.[1];
  return [...new Set([...addresses.map(escaped), ...(longest === undefined ? [] : [longest])])].map((needle) => `%${needle}%`);
}

/** A word with a wildcard for each part that is spelled in more ways than small and capital. */
const sameInAll = (word: string): string =>
  spellingsOf(word)
    .filter(({ part, others }) => others.some((other) => other.toLowerCase() !== part))
    .reduce((text, { part }) => text.replaceAll(part, '%'), escaped(word));

const plainOf = (needle: string): number => needle.replaceAll('%', '').length;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&').replace(/"/g, '%');
