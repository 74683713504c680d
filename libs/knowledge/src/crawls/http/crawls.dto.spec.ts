import { faultsOfBody } from '@atrium/platform/testing';
import { CreateCrawl } from './crawls.dto';

describe('a new crawl', () => {
  it.each<[string, object, string, string]>([
    ['an unknown mode', { crw_settings: { mode: 'list' } }, 'crw_settings.mode', 'choice'],
    ['more than 10,000 pages', { crw_settings: { max_pages: 10_001 } }, 'crw_settings.max_pages', 'too_large'],
    ['six pages at once', { crw_settings: { concurrency: 6 } }, 'crw_settings.concurrency', 'too_large'],
    ['a pause of more than ten seconds', { crw_settings: { delay_ms: 10_001 } }, 'crw_settings.delay_ms', 'too_large'],
    ['an unknown answer to missing pages', { crw_settings: { on_missing: 'burn' } }, 'crw_settings.on_missing', 'choice'],
    ['headers', { crw_settings: { headers: {} } }, 'crw_settings.headers', 'unknown_field'],
    ['51 globs', { crw_settings: { include: Array.from({ length: 51 }, () => '/a') } }, 'crw_settings.include', 'too_many'],
    ['no address', { crw_url: undefined }, 'crw_url', 'required'],
    ['an empty address', { crw_url: '' }, 'crw_url', 'too_short'],
    ['an unknown field', { url: 'https://docs.example.com/' }, 'url', 'unknown_field'],
    ['an empty schedule', { crw_cron: '' }, 'crw_cron', 'too_short'],
    ['an empty time zone', { crw_timezone: '' }, 'crw_timezone', 'too_short'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateCrawl, { crw_url: 'https://docs.example.com/', ...more })).toMatchObject([{ path, code }]);
  });
});
