import { externalId, LONGEST_ADDRESS, pageAddress, Site } from './page-address';

describe('the address of a page', () => {
  it.each([
    ['HTTPS://Docs.Example.COM:443/Guide/?b=2&a=1#top', 'https://docs.example.com/Guide/?a=1&b=2'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com./a/../b', 'https://example.com/b'],
    ['https://example.com/a?utm_source=x&id=7&gclid=1&fbclid=2', 'https://example.com/a?id=7'],
    ['https://example.com/a?', 'https://example.com/a'],
    ['https://example.com/a?b=1&b=0', 'https://example.com/a?b=1&b=0'],
    ['  /next ', 'https://example.com/next'],
  ])('%s is %s', (text, address) => expect(pageAddress(text, 'https://example.com/here')).toBe(address));

  it.each([
    'mailto:a@b.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://me:secret@example.com/',
    'https://',
    `https://example.com/${'a'.repeat(LONGEST_ADDRESS)}`,
  ])('is none: %.60s', (text) => expect(pageAddress(text)).toBeUndefined());

  it('is short enough as an id of a record, and differs where addresses differ', () => {
    const long = (end: string): string => `https://example.com/${'a'.repeat(900)}${end}`;
    expect(externalId('https://example.com/a')).toBe('https://example.com/a');
    expect(externalId(long('1')).length).toBeLessThanOrEqual(512);
    expect(externalId(long('1'))).not.toBe(externalId(long('2')));
  });
});

describe('a site', () => {
  const site = new Site('https://example.com/docs/');

  it('has the pages of its origin, with http followed by https', () => {
    expect(site.own('http://example.com/a', 'https://example.com/')).toBe('https://example.com/a');
    expect(site.own('/a', 'https://example.com/docs/')).toBe('https://example.com/a');
    for (const foreign of ['https://www.example.com/', 'https://example.com:8443/', 'http://example.com:8080/', 'https://example.org/'])
      expect(site.own(foreign, 'https://example.com/')).toBeUndefined();
    expect(new Site('http://127.0.0.1:8080/').own('/a', 'http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080/a');
  });

  it('finds its own pages among many addresses, each once and in their order, while others have their turn', async () => {
    const own = jest.spyOn(site, 'own').mockImplementation((text) => {
      for (const began = performance.now(); performance.now() - began < 5;);
      return text === '/x' ? undefined : `https://example.com${text}`;
    });
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    const found = await site.allOwn(['/b', '/x', '/a', '/b', ...Array.from({ length: 20 }, (_, n) => `/${n % 2}`)], 'https://example.com/');
    clearInterval(others);
    own.mockRestore();
    expect(found).toEqual(['/b', '/a', '/0', '/1'].map((path) => `https://example.com${path}`));
    expect(turns).toBeGreaterThan(1);
  });

  it('does not read an address that is longer than any', () => {
    const parse = jest.spyOn(URL, 'canParse');
    expect(site.own(`/${'"'.repeat(5_000_000)}`, 'https://example.com/')).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(site.own(`/a?utm_source=${'x'.repeat(3_000)}`, 'https://example.com/')).toBe('https://example.com/a');
  });

  it('has its rules and its sitemap at the top', () => {
    expect([site.robots, site.sitemap]).toEqual(['https://example.com/robots.txt', 'https://example.com/sitemap.xml']);
  });
});
