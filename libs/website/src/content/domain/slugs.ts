import { normalized } from '@atrium/platform/kernel';
import { transliterate } from 'transliteration';

const LONGEST_SLUG = 120;
const LONGEST_NAME = 255;
const FALLBACK = 'page';
/** Letters with their marks, digits, and single hyphens between them. */
const SLUG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:-[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;

/** Letters that a language writes otherwise than by dropping their marks. */
const GERMAN: readonly [string, string][] = [
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['Ä', 'Ae'],
  ['Ö', 'Oe'],
  ['Ü', 'Ue'],
];
const NORDIC: readonly [string, string][] = [
  ['ä', 'ae'],
  ['æ', 'ae'],
  ['ö', 'oe'],
  ['ø', 'oe'],
  ['å', 'aa'],
  ['Ä', 'Ae'],
  ['Æ', 'Ae'],
  ['Ö', 'Oe'],
  ['Ø', 'Oe'],
  ['Å', 'Aa'],
];
const BY_LANGUAGE: Readonly<Record<string, readonly [string, string][]>> = {
  de: GERMAN,
  lb: GERMAN,
  da: NORDIC,
  nb: NORDIC,
  nn: NORDIC,
  no: NORDIC,
};

/** The slug of a name in Latin letters, as its language writes them; `page` where nothing of the name is left. */
export function slugFromName(name: string, locale: string): string {
  const [language = ''] = locale.toLowerCase().split('-');
  const plain = normalized(name.slice(0, LONGEST_NAME), 'NFC');
  const replace = [...(BY_LANGUAGE[language] ?? [])];
  const words = transliterate(plain, { replace, unknown: ' ' })
    .toLowerCase()
    .replace(/['’`]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return shortened(words) || FALLBACK;
}

/** As many whole words as a slug may have; a first word that is longer is cut. */
function shortened(words: readonly string[]): string {
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, LONGEST_SLUG) : `${slug}-${word}`;
    if (longer.length > LONGEST_SLUG) break;
    slug = longer;
  }
  return slug;
}

/** The next free slug beside others: `lamp`, `lamp-2`, `lamp-3`. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const ending = `-${number}`;
    const candidate = `${slug.slice(0, LONGEST_SLUG - ending.length).replace(/-$/, '')}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

export interface SlugPlace {
  /** Whether the node has no parent: the home page is there, and the prefixes of locales. */
  readonly isTop: boolean;
  readonly prefixes: readonly string[];
}

/** A slug in its normal form, or what is wrong with it. */
export function readSlug(
  value: string,
  { isTop, prefixes }: SlugPlace,
): { readonly slug: string } | { readonly code: string; readonly message: string } {
  const slug = normalized(value, 'NFC');
  if (slug === '')
    return isTop
      ? { slug }
      : { code: 'required', message: 'Only a page at the top of the site can have an empty slug, which makes it the home page.' };
  if (slug.length > LONGEST_SLUG) return { code: 'length', message: `A slug can have at most ${LONGEST_SLUG} characters.` };
  if (!SLUG.test(slug)) return { code: 'format', message: 'A slug can contain letters, digits and single hyphens between them.' };
  if (isTop && prefixes.some((prefix) => prefix !== '' && prefix.toLowerCase() === slug.toLowerCase()))
    return { code: 'option', message: 'The slug is the path prefix of a locale of the site.' };
  return { slug };
}

/** The path of a node: the prefix of the locale, then the slugs from the top; that of the home page is the prefix alone. */
export const pagePath = (prefix: string, slugs: readonly string[]): string =>
  `/${[prefix, ...slugs].filter((segment) => segment !== '').join('/')}`;
