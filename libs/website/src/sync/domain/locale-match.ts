import type { SiteLocale } from '../../sites/domain/site-locales';
import type { RemoteLocale } from './cms-port';

/** Codes at the CMS by locale of the site: the default ones belong together, all others by their code. */
export function matchLocales(
  { site_default_locale, site_locales }: { readonly site_default_locale: string; readonly site_locales: readonly SiteLocale[] },
  remote: readonly RemoteLocale[],
): Readonly<Record<string, string>> {
  const standard = remote.find(({ isDefault }) => isDefault);
  const others = new Map(remote.filter((locale) => locale !== standard).map(({ code }) => [nameOf(code), code]));
  const matched = site_locales
    .filter(({ code }) => code !== site_default_locale)
    .flatMap(({ code }) => {
      const found = others.get(nameOf(code));
      return found === undefined ? [] : [[code, found] as const];
    });
  return Object.fromEntries([[site_default_locale, standard?.code ?? site_default_locale], ...matched]);
}

const nameOf = (code: string): string => code.replaceAll('_', '-').toLowerCase();
