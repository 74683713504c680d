import type { Principal } from '@atrium/platform/access';
import { invalidField } from '@atrium/platform/kernel';
import { Crawl } from '../domain/crawl';
import { CrawlsService, type NewCrawl } from './crawls.service';

/** A service whose name server never answers. */
function serviceOf() {
  const asked: string[] = [];
  const service = new CrawlsService(
    ...([
      { read: (work: () => Promise<unknown>) => work() },
      {},
      {},
      {},
      {},
      {},
      { requireReadable: () => Promise.resolve({}) },
      {},
      {},
      { checkAddress: (url: string) => new Promise(() => asked.push(url)) },
      { isSelector: (text: string) => Promise.resolve(text !== '<') },
      {
        assertTimeZone: (field: string, name: string) =>
          name === 'Europe/Lisbon' ? Promise.resolve() : Promise.reject(invalidField(field, 'must be the IANA name of a time zone')),
      },
      { now: () => new Date('2026-03-01T10:00:00Z') },
      {},
    ] as unknown as ConstructorParameters<typeof CrawlsService>),
  );
  const create = (wish: Partial<NewCrawl>) => service.create({} as Principal, 'base', { crw_url: 'https://docs.example.com/', ...wish });
  return { asked, create };
}

describe('a crawl that is asked for', () => {
  it.each<[string, Partial<NewCrawl>]>([
    ['crw_timezone', { crw_timezone: 'Eu\u0301\u0327rope/Lisbon' }],
    ['crw_cron', { crw_cron: '0 0 31 2 *', crw_timezone: 'Europe/Lisbon' }],
    ['crw_cron', { crw_cron: '* '.repeat(100) }],
    ['crw_settings.include', { crw_settings: { include: [`${'*a?'.repeat(100)}*z`] } }],
    ['crw_settings.exclude', { crw_settings: { exclude: ['/a'.repeat(400)] } }],
    ['crw_settings.content_selector', { crw_settings: { content_selector: '<' } }],
  ])('with a wrong %s is refused without waiting for the name server of its address', async (path, wish) => {
    const { asked, create } = serviceOf();
    await expect(create({ crw_timezone: 'Europe/Lisbon', ...wish })).rejects.toMatchObject({ errors: [expect.objectContaining({ path })] });
    expect(asked).toEqual([]);
  });

  it('has its address looked up when all else is right', async () => {
    const { asked, create } = serviceOf();
    void create({ crw_timezone: 'Europe/Lisbon', crw_cron: '0 6 * * 1', crw_settings: { include: ['/a/**'] } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['https://docs.example.com/']);
  });
});

describe('a crawl that is changed', () => {
  it('runs by the clock for the member who activates it', async () => {
    const crawl = Object.assign(new Crawl(), { crw_base: 'base', crw_settings: {}, crw_cron: '0 6 * * 1', crw_created_by: 'ann' });
    const saved: (string | null)[] = [];
    const unit = (work: () => Promise<unknown>): Promise<unknown> => work();
    const service = new CrawlsService(
      ...([
        { read: unit, write: unit },
        {
          findCrawlRow: () => Promise.resolve(crawl),
          lock: () => Promise.resolve(crawl),
          save: ({ crw_created_by }: Crawl) => Promise.resolve(void saved.push(crw_created_by)),
        },
        {},
        {},
        {},
        {},
        { requireReadable: () => Promise.resolve({}), keepBase: () => Promise.resolve({}) },
        {},
        {},
        {},
        {},
        { assertTimeZone: () => Promise.resolve() },
        { now: () => new Date('2026-03-01T10:00:00Z') },
        {},
      ] as unknown as ConstructorParameters<typeof CrawlsService>),
    );
    await service.change({ user_id: 'bea' } as Principal, 'base', 'crawl', { crw_timezone: 'UTC' });
    await service.change({ user_id: 'bea' } as Principal, 'base', 'crawl', { crw_active: true });
    expect(saved).toEqual(['ann', 'bea']);
  });
});
