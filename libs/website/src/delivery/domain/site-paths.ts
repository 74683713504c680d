import { fullPath, type PathLocale } from '../../publishing/domain/live-path';

/** The first segment of all paths of a locale; empty where it has none. */
export const prefixIn = ({ site_locales }: { readonly site_locales: readonly PathLocale[] }, locale: string): string =>
  site_locales.find(({ code }) => code === locale)?.prefix ?? '';

/** Full paths of a locale. */
export const pathsIn = (site: { readonly site_locales: readonly PathLocale[] }, locale: string): ((path: string) => string) => {
  const prefix = prefixIn(site, locale);
  return (path) => fullPath(prefix, path);
};
