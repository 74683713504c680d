import { createHash } from 'node:crypto';

export const ROOT = '/';
/** Longest path of a page, in characters, without the prefix of its locale. */
export const LONGEST_PATH = 2_000;

/** The path of a segment below another path: `/products` and `lamp` are `/products/lamp`; the home page adds nothing. */
export const pathBelow = (above: string, segment: string): string => `${above === ROOT ? '' : above}/${segment}`;

/** The SHA-256 by which a path is found, in hex. */
export const hashOfPath = (path: string): string => createHash('sha256').update(path).digest('hex');

/** A path as visitors see it, behind the prefix of its locale. */
export const fullPath = (prefix: string, path: string): string =>
  prefix === '' ? path : path === ROOT ? `/${prefix}` : `/${prefix}${path}`;

/** A locale as far as paths are concerned. */
export interface PathLocale {
  readonly code: string;
  readonly prefix: string;
}

/** The locale that a full path belongs to, and the path within it; null when no locale has it. */
export function splitFullPath(locales: readonly PathLocale[], full: string): { readonly locale: string; readonly path: string } | null {
  const end = full.indexOf('/', 1);
  const first = full.slice(1, end < 0 ? undefined : end);
  const prefixed = first === '' ? undefined : locales.find(({ prefix }) => prefix === first);
  if (prefixed) return { locale: prefixed.code, path: end < 0 ? ROOT : full.slice(end) };
  const bare = locales.find(({ prefix }) => prefix === '');
  return bare ? { locale: bare.code, path: full } : null;
}

/** The addresses of prefix rules that a path may match, the most specific first: `/a/b/c` may match `/a/b/*`, `/a/*` and `/*`. */
export function prefixRulesFor(full: string): string[] {
  const rules: string[] = [];
  for (let at = full.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : full.lastIndexOf('/', at - 1)) rules.push(`${full.slice(0, at)}/*`);
  return rules;
}
