import { Problem } from '@atrium/platform/kernel';
import { canonicalLocale, completeLocales, type EnteredLocale } from './site-locales';

const faultsOf = (entered: readonly EnteredLocale[], byDefault?: string): string[] => {
  try {
    completeLocales(entered, byDefault);
  } catch (error) {
    if (error instanceof Problem) return (error.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
  return [];
};

describe('a language tag', () => {
  it.each([
    ['EN-us', 'en-US'],
    ['zh-hans-cn', 'zh-Hans-CN'],
    ['iw', 'he'],
    ['english!', undefined],
    ['', undefined],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalLocale(text)).toBe(canonical);
  });
});

describe('the locales of a site', () => {
  it('have the first one as their default, without a prefix', () => {
    expect(completeLocales([{ code: 'de' }, { code: 'EN-gb', fallback: null, active: false }])).toEqual({
      site_locales: [
        { code: 'de', name: 'Deutsch', fallback: null, prefix: '', active: true },
        { code: 'en-GB', name: 'British English', fallback: null, prefix: 'en-gb', active: false },
      ],
      site_default_locale: 'de',
    });
  });

  it('give the empty prefix to another default', () => {
    const { site_locales } = completeLocales([{ code: 'de' }, { code: 'en' }], 'EN');
    expect(site_locales.map(({ prefix }) => prefix)).toEqual(['de', '']);
  });

  it('have codes and prefixes once, however they are written', () => {
    expect(faultsOf([{ code: 'en' }, { code: 'En', prefix: 'x' }])).toEqual(['site_locales[1].code unique']);
    expect(faultsOf([{ code: 'en', prefix: 'de' }, { code: 'de' }])).toEqual(['site_locales[1].prefix unique']);
  });

  it.each(['a/b', 'A', '-a', 'a-', 'a--b', '..', 'ä'])('have no prefix %s', (prefix) => {
    expect(faultsOf([{ code: 'en' }, { code: 'de', prefix }])).toEqual(['site_locales[1].prefix pattern']);
  });

  it('fall back to each other without a circle, and the default to none', () => {
    expect(faultsOf([{ code: 'en' }, { code: 'de-CH', fallback: 'de-at' }, { code: 'de-AT', fallback: 'de' }, { code: 'de' }])).toEqual([]);
    expect(faultsOf([{ code: 'en' }, { code: 'de', fallback: 'de' }])).toEqual(['site_locales[1].fallback cycle']);
    expect(
      faultsOf([{ code: 'en' }, { code: 'it', fallback: 'de' }, { code: 'de', fallback: 'fr' }, { code: 'fr', fallback: 'de' }]),
    ).toContain('site_locales[2].fallback cycle');
    expect(faultsOf([{ code: 'en', fallback: 'de' }, { code: 'de' }])).toEqual(['site_locales[0].fallback not_applicable']);
    expect(faultsOf([{ code: 'en' }, { code: 'de', fallback: 'fr' }])).toEqual(['site_locales[1].fallback reference']);
  });

  it('name an active locale as their default', () => {
    expect(faultsOf([{ code: 'en' }], 'de')).toEqual(['site_default_locale reference']);
    expect(faultsOf([{ code: 'en', active: false }])).toEqual(['site_default_locale invalid']);
    expect(faultsOf([{ code: 'en' }], '?')).toEqual(['site_default_locale locale']);
  });
});
