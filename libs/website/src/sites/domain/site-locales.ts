import { invalidFields, type FieldFault } from '@atrium/platform/kernel';

export const MOST_LOCALES = 50;

/** A language of a site. */
export interface SiteLocale {
  /** BCP 47, in its canonical form. */
  readonly code: string;
  readonly name: string;
  /** The locale whose values are shown where this one has none; null: the default locale. */
  readonly fallback: string | null;
  /** First segment of the paths of the locale; empty for one locale at most. */
  readonly prefix: string;
  readonly active: boolean;
}

/** A locale as a client wrote it. */
export interface EnteredLocale {
  readonly code: string;
  readonly name?: string;
  readonly fallback?: string | null;
  readonly prefix?: string;
  readonly active?: boolean;
}

export interface SiteLocales {
  readonly site_locales: readonly SiteLocale[];
  readonly site_default_locale: string;
}

const PREFIX = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LOCALES = 'site_locales';

/** The canonical form of a language tag (BCP 47); undefined where the text is not one. */
export function canonicalLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** The locales that were entered, completed and in their canonical form; every fault is named with its place. */
export function completeLocales(entered: readonly EnteredLocale[], wantedDefault?: string): SiteLocales {
  const codes = entered.map(({ code }) => canonicalLocale(code));
  const [first] = codes;
  const site_default_locale = wantedDefault === undefined ? first : canonicalLocale(wantedDefault);
  const site_locales = entered.map((locale, at) => completed(locale, codes[at] ?? locale.code, site_default_locale));
  const faultsOfCodes = [
    ...codes.flatMap((code, at) => (code === undefined ? [notALocale(`${LOCALES}[${at}].code`)] : [])),
    ...repeated(site_locales, 'code', 'must appear once'),
  ];
  // Prefixes may come from codes.
  if (faultsOfCodes.length > 0) throw invalidFields(faultsOfCodes);
  const faults = [
    ...repeated(site_locales, 'prefix', 'must be unique; only one locale can have an empty prefix'),
    ...entered.flatMap(faultsOfPrefix),
    ...faultsOfFallbacks(site_locales, site_default_locale),
    ...faultsOfDefault(site_locales, site_default_locale),
  ];
  if (faults.length > 0 || site_default_locale === undefined) throw invalidFields(faults);
  return { site_locales, site_default_locale };
}

const completed = ({ code: _, ...locale }: EnteredLocale, code: string, byDefault: string | undefined): SiteLocale => ({
  code,
  name: locale.name ?? languageName(code),
  fallback: typeof locale.fallback === 'string' ? (canonicalLocale(locale.fallback) ?? locale.fallback) : null,
  prefix: locale.prefix ?? (code === byDefault ? '' : code.toLowerCase()),
  active: locale.active ?? true,
});

/** What a language is called in itself; its code where that is not known. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

const notALocale = (path: string): FieldFault => ({ path, code: 'locale', message: 'must be a language tag (BCP 47) such as en or pt-BR' });

const repeated = (locales: readonly SiteLocale[], key: 'code' | 'prefix', message: string): FieldFault[] => {
  const values = locales.map((locale) => locale[key]);
  return values.flatMap((value, at) => (values.indexOf(value) < at ? [{ path: `${LOCALES}[${at}].${key}`, code: 'unique', message }] : []));
};

const faultsOfPrefix = ({ prefix = '' }: EnteredLocale, at: number): FieldFault[] =>
  prefix === '' || PREFIX.test(prefix)
    ? []
    : [
        {
          path: `${LOCALES}[${at}].prefix`,
          code: 'pattern',
          message: 'must be lowercase letters and digits with single hyphens between them',
        },
      ];

function faultsOfFallbacks(locales: readonly SiteLocale[], byDefault: string | undefined): FieldFault[] {
  const fallbacks = new Map(locales.map(({ code, fallback }) => [code, fallback]));
  return locales.flatMap(({ code, fallback }, at) => {
    if (fallback === null) return [];
    const path = `${LOCALES}[${at}].fallback`;
    if (!fallbacks.has(fallback)) return [{ path, code: 'reference', message: 'must be the code of a locale of the site' }];
    if (code === byDefault) return [{ path, code: 'not_applicable', message: 'must be null for the default locale' }];
    return leadsBack(fallbacks, code) ? [{ path, code: 'cycle', message: 'must not lead back to the same locale' }] : [];
  });
}

function leadsBack(fallbacks: ReadonlyMap<string, string | null>, code: string): boolean {
  const seen = new Set<string>();
  for (let at = fallbacks.get(code) ?? null; at !== null && !seen.has(at); at = fallbacks.get(at) ?? null) {
    if (at === code) return true;
    seen.add(at);
  }
  return false;
}

function faultsOfDefault(locales: readonly SiteLocale[], byDefault: string | undefined): FieldFault[] {
  const path = 'site_default_locale';
  if (byDefault === undefined) return locales.length === 0 ? [] : [notALocale(path)];
  const found = locales.find(({ code }) => code === byDefault);
  if (!found) return [{ path, code: 'reference', message: 'must be the code of a locale of the site' }];
  return found.active ? [] : [{ path, code: 'invalid', message: 'must be an active locale' }];
}
