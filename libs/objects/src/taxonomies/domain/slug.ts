import type { TextForm } from '@atrium/platform/database';
import { normalized, withoutEnd } from '@atrium/platform/kernel';

/** Short names for addresses and programs: lower-case letters, digits and hyphens. */
export const SLUG: TextForm = { pattern: /^[a-z0-9-]{1,80}$/, words: 'a name of lowercase letters, digits and hyphens' };
export const MOST_SLUG = 80;

/** The slug that a name gives: without accents, everything else than letters and digits as hyphens. `unnamed` where nothing is left. */
export function slugOf(name: string): string {
  const plain = normalized(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return trimmed(plain.slice(0, MOST_SLUG + 1).replace(/^-/, '')).slice(0, MOST_SLUG) || 'unnamed';
}

/** The slug itself, or with the first number behind it that is free. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const end = `-${number}`;
    const slug = `${trimmed(wanted.slice(0, MOST_SLUG - end.length))}${end}`;
    if (!taken.has(slug)) return slug;
  }
}

const trimmed = (slug: string): string => withoutEnd(slug, /-/);
