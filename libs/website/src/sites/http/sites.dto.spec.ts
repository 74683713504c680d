import { faultsOfBody } from '@atrium/platform/testing';
import { ChangeSite, CreateSite } from './sites.dto';

describe('a new site', () => {
  it.each<[string, object, string, string]>([
    ['no name', { site_name: '' }, 'site_name', 'too_short'],
    ['null as its name', { site_name: null }, 'site_name', 'string'],
    ['a name beyond its bounds', { site_name: 'a'.repeat(256) }, 'site_name', 'too_long'],
    ['a key of its own', { site_key: 'wsk_mine' }, 'site_key', 'unknown_field'],
    ['a number of what is live', { site_seq: 7 }, 'site_seq', 'unknown_field'],
    ['no locale', { site_locales: [] }, 'site_locales', 'too_few'],
    ['51 locales', { site_locales: Array.from({ length: 51 }, () => ({ code: 'en' })) }, 'site_locales', 'too_many'],
    ['null as its locales', { site_locales: null }, 'site_locales', 'array'],
    ['a locale without a code', { site_locales: [{ name: 'English' }] }, 'site_locales[0].code', 'required'],
    ['a locale with more than it has', { site_locales: [{ code: 'en', seo: 1 }] }, 'site_locales[0].seo', 'unknown_field'],
    [
      '21 contacts',
      { site_contacts: Array.from({ length: 21 }, () => '0190163d-8694-739b-aea5-966c26f8ad91') },
      'site_contacts',
      'too_many',
    ],
    ['a cache below nothing', { site_cache: { swr: -1 } }, 'site_cache.swr', 'too_small'],
    ['rules for robots beyond their bounds', { site_robots: 'a'.repeat(10_241) }, 'site_robots', 'too_long'],
    ['null as its access list', { site_acl: null }, 'site_acl', 'object'],
    ['locales to drop', { drop_locales: ['de'] }, 'drop_locales', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateSite, { site_name: 'x', ...more })).toMatchObject([{ path, code }]);
  });
});

describe('a changed site', () => {
  it.each<[string, object, string, string]>([
    ['its flag', { site_active: true }, 'site_active', 'unknown_field'],
    ['51 locales to drop', { drop_locales: Array.from({ length: 51 }, () => 'de') }, 'drop_locales', 'too_many'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ChangeSite, body)).toMatchObject([{ path, code }]);
  });
});
