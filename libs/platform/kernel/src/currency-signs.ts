/** Dollars by the countries that write them with the sign alone. */
const DOLLARS: Readonly<Record<string, string>> = {
  AR: 'ARS',
  AU: 'AUD',
  BB: 'BBD',
  BM: 'BMD',
  BN: 'BND',
  BS: 'BSD',
  BZ: 'BZD',
  CA: 'CAD',
  CL: 'CLP',
  CO: 'COP',
  CU: 'CUP',
  DO: 'DOP',
  EC: 'USD',
  FJ: 'FJD',
  GY: 'GYD',
  HK: 'HKD',
  JM: 'JMD',
  KY: 'KYD',
  LR: 'LRD',
  MX: 'MXN',
  NA: 'NAD',
  NZ: 'NZD',
  PR: 'USD',
  SB: 'SBD',
  SG: 'SGD',
  SR: 'SRD',
  SV: 'USD',
  TT: 'TTD',
  TW: 'TWD',
  US: 'USD',
  UY: 'UYU',
};
const POUNDS: Readonly<Record<string, string>> = {
  EG: 'EGP',
  FK: 'FKP',
  GB: 'GBP',
  GI: 'GIP',
  LB: 'LBP',
  SD: 'SDG',
  SH: 'SHP',
  SS: 'SSP',
  SY: 'SYP',
};
/** The code of ISO 4217 for no currency: of a sign that is that of none that is known. */
export const NO_CURRENCY = 'XXX';
/** Where no locale is known. */
const USUAL = 'en-US';
/** Workspaces choose among all locales that there are. */
const MOST_KEPT = 200;
const kept = new Map<string, string | undefined>();

/** The currencies that a sign can mean. */
export function currenciesOfSign(sign: string): readonly string[] {
  if (sign === '€') return ['EUR'];
  return sign === '$' ? Object.values(DOLLARS) : sign === '£' ? Object.values(POUNDS) : [];
}

/**
 * The currency that people of a locale mean by a sign: the one of their country, else the one that they write so of others. Where
 * they write `US$`, as the British and the French do, a dollar sign alone means none.
 */
export function currencyOfSign(sign: string, locale = USUAL): string | undefined {
  const key = `${sign} ${locale}`;
  if (kept.has(key)) return kept.get(key);
  if (kept.size >= MOST_KEPT) kept.clear();
  const currency = meantBy(sign, locale);
  kept.set(key, currency);
  return currency;
}

function meantBy(sign: string, locale: string): string | undefined {
  if (sign === '€') return 'EUR';
  const region = regionOf(locale);
  if (sign === '£') return POUNDS[region] ?? 'GBP';
  if (sign !== '$') return undefined;
  return DOLLARS[region] ?? (dollarIn(locale) === sign ? 'USD' : undefined);
}

function regionOf(locale: string): string {
  try {
    return new Intl.Locale(locale).maximize().region ?? '';
  } catch {
    return regionOf(USUAL);
  }
}

const dollarIn = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).formatToParts(1).find(({ type }) => type === 'currency')?.value;
