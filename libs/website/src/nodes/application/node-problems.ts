import { violatesConstraint } from '@atrium/platform/database';
import { alreadyExists, invalidField, Problem } from '@atrium/platform/kernel';
import type { SiteOfDrafts } from '../domain/page-draft';

export const MOST_NODES = 50_000;
export const MOST_CHILDREN = 2_000;

export const tooManyNodes = (): Problem =>
  new Problem('limit_reached', `A site can have at most ${MOST_NODES.toLocaleString('en')} pages, including those in the trash.`);

export const tooManyChildren = (): Problem =>
  new Problem('limit_reached', `A page or folder can have at most ${MOST_CHILDREN.toLocaleString('en')} pages directly below it.`);

const slugTaken = (): Problem =>
  alreadyExists('node_slug', 'Another page with the same parent already has this slug in one of the locales. Choose another slug.');

/** A slug that another node takes at the same time is known to the index alone. */
export async function translatingSlugConflicts<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw violatesConstraint(error, 'node_locale_slug_taken') ? slugTaken() : error;
  }
}

/** The locale that a request names, or the default one. */
export function requireLocale({ site_locales, site_default_locale }: SiteOfDrafts, locale: string | undefined): string {
  if (locale === undefined) return site_default_locale;
  const known = site_locales.find(({ code }) => code.toLowerCase() === locale.toLowerCase());
  if (!known) throw invalidField('locale', `must be a locale of the site: ${site_locales.map(({ code }) => code).join(', ')}`, 'option');
  return known.code;
}
