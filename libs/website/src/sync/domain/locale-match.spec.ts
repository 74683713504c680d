import { matchLocales } from './locale-match';

const locale = (code: string) => ({ code, name: code, fallback: null, prefix: code, active: true });
const remote = (code: string, isDefault = false) => ({ code, name: code, isDefault });

describe('Locales of a site and of its CMS', () => {
  it('belong together by their code in any case and notation, and the default ones whatever they are called', () => {
    const site = { site_default_locale: 'en', site_locales: [locale('en'), locale('de-AT'), locale('fr')] };
    expect(matchLocales(site, [remote('[default]', true), remote('de_at'), remote('es')])).toEqual({ en: '[default]', 'de-AT': 'de_at' });
  });

  it('do not match the default locale of the other side', () => {
    const site = { site_default_locale: 'en', site_locales: [locale('en'), locale('de')] };
    expect(matchLocales(site, [remote('de', true), remote('en')])).toEqual({ en: 'de' });
  });
});
