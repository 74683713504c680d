import type { Principal } from '@atrium/platform/access';
import { invalidField } from '@atrium/platform/kernel';
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
      { readable: () => Promise.resolve({}) },
      {},
      {},
      { check: (url: string) => new Promise(() => asked.push(url)) },
      { isSelector: (text: string) => Promise.resolve(text !== '<') },
      {
        check: (field: string, name: string) =>
          name === 'Europe/Lisbon' ? Promise.resolve() : Promise.reject(invalidField(field, 'must be the IANA name of a time zone')),
      },
      { now: () => new Date('2026-03-01T10:00:00Z') },
      {},
    ] as unknown as ConstructorParameters<typeof CrawlsService>),
  );
  const create = (wish: Partial<NewCrawl>) => service.create({} as Principal, 'base', { url: 'https://docs.example.com/', ...wish });
  return { asked, create };
}

describe('a crawl that is asked for', () => {
  it.each<[string, Partial<NewCrawl>]>([
    ['timezone', { timezone: 'Eu\u0301\u0327rope/Lisbon' }],
    ['cron', { cron: '0 0 31 2 *', timezone: 'Europe/Lisbon' }],
    ['cron', { cron: '* '.repeat(100) }],
    ['include', { include: [`${'*a?'.repeat(100)}*z`] }],
    ['exclude', { exclude: ['/a'.repeat(400)] }],
    ['content_selector', { content_selector: '<' }],
  ])('with a wrong %s is refused without waiting for the name server of its address', async (path, wish) => {
    const { asked, create } = serviceOf();
    await expect(create({ timezone: 'Europe/Lisbon', ...wish })).rejects.toMatchObject({ errors: [expect.objectContaining({ path })] });
    expect(asked).toEqual([]);
  });

  it('has its address looked up when all else is right', async () => {
    const { asked, create } = serviceOf();
    void create({ timezone: 'Europe/Lisbon', cron: '0 6 * * 1', include: ['/a/**'] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['https://docs.example.com/']);
  });
});
