// Its front door loads the names of all languages, which is most of what this library weighs.
import { getAlpha2Codes, getName, registerLocale } from 'i18n-iso-countries/index';
import english from 'i18n-iso-countries/langs/en.json';

const EU = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
] as const;

/** Territories that rules may name together. */
export const TERRITORY_GROUPS: Readonly<Record<string, readonly string[]>> = {
  EU,
  EEA: [...EU, 'IS', 'LI', 'NO'].sort(),
  EFTA: ['CH', 'IS', 'LI', 'NO'],
};

/** ISO 3166-1 alpha-2. */
export const TERRITORY_CODES: readonly string[] = Object.keys(getAlpha2Codes()).sort();

const KNOWN: ReadonlySet<string> = new Set(TERRITORY_CODES);

/** The code in capitals, or null where the text names no territory (`XX` and `T1` of proxies that do not know). */
export function territoryOf(text: string | null | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  return KNOWN.has(code) ? code : null;
}

/** A territory or group as rules store it; null where it is neither. */
export function territoryValue(text: string): string | null {
  const code = text.trim().toUpperCase();
  return KNOWN.has(code) || Object.hasOwn(TERRITORY_GROUPS, code) ? code : null;
}

/** Every single territory that the values name. */
export const territoriesOf = (values: readonly string[]): ReadonlySet<string> =>
  new Set(values.flatMap((value) => TERRITORY_GROUPS[value] ?? [value]));

let named = false;

/** The name in English. */
export function territoryName(code: string): string {
  if (!named) registerLocale(english);
  named = true;
  return getName(code, 'en', { select: 'official' }) ?? code;
}
