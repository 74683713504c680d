/** Locales by the numbers that formats have of them, of countries whose currency has the sign of others. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  '404': 'zh-TW',
  '409': 'en-US',
  '45c': 'en-US',
  '45d': 'en-CA',
  '475': 'en-US',
  '47a': 'es-CL',
  '47c': 'en-CA',
  '481': 'en-NZ',
  '809': 'en-GB',
  '80a': 'es-MX',
  '83e': 'ms-BN',
  '85d': 'en-CA',
  c01: 'ar-EG',
  c04: 'zh-HK',
  c09: 'en-AU',
  c0c: 'fr-CA',
  '1004': 'zh-SG',
  '1009': 'en-CA',
  '1409': 'en-NZ',
  '1c0a': 'es-DO',
  '2009': 'en-JM',
  '240a': 'es-CO',
  '2801': 'ar-SY',
  '2809': 'en-BZ',
  '2c09': 'en-TT',
  '2c0a': 'es-AR',
  '3001': 'ar-LB',
  '300a': 'es-EC',
  '340a': 'es-CL',
  '380a': 'es-UY',
  '3c09': 'en-HK',
  '440a': 'es-SV',
  '4809': 'en-SG',
  '500a': 'es-PR',
  '540a': 'es-US',
  '5c0a': 'es-CU',
};
const TAG = /^[a-z]{2,3}(?:[-_][a-z\d]{2,8}){0,3}$/i;

/** The locale of the country in a format: `1009` or `en-CA`; undefined for one that is not known. */
export function localeOfCountry(country: string): string | undefined {
  const number = /^0*([\da-f]{3,4})$/i.exec(country)?.[1]?.toLowerCase();
  if (number !== undefined) return BY_NUMBER[number];
  return TAG.test(country) ? country.replaceAll('_', '-') : undefined;
}
