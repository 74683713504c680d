import type { SiteOfDrafts } from '../../nodes/domain/page-draft';

/** The first segment of all paths of a locale; empty where it has none. */
export const prefixOf = ({ site_locales }: Pick<SiteOfDrafts, 'site_locales'>, locale: string): string =>
  site_locales.find(({ code }) => code === locale)?.prefix ?? '';
