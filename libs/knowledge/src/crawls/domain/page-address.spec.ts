import { comparedAddress, externalId, LONGEST_ADDRESS, pageAddress, Site } from './page-address';

describe('the address of a page', () => {
  it.each([
    ['HTTPS://Docs.Example.COM:443/Guide/?b=2&a=1#top', 'https://docs.example.com/Guide/?b=2&a=1'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com./a/../b', 'https://example.com/b'],
    ['https://example.com/a?utm_source=x&id=7&gclid=1&fbclid=2', 'https://example.com/a?id=7'],
    ['https://example.com/a?', 'https://example.com/a'],
    ['/index.php?/Knowledgebase/Article/View/12', 'https://example.com/index.php?/Knowledgebase/Article/View/12'],
    ['/?p=3&a', 'https://example.com/?p=3&a'],
    ['/?p=3&a=&&b=c=d', 'https://example.com/?p=3&a=&&b=c=d'],
    ['/?q=a+b%20c,(d)~%2f%C3%A9', 'https://example.com/?q=a+b%20c,(d)~%2f%C3%A9'],
    ['/?utm_source=x&p=a,b&gclid', 'https://example.com/?p=a,b'],
    ['/café au lait?größe=1', 'https://example.com/caf%C3%A9%20au%20lait?gr%C3%B6%C3%9Fe=1'],
    ['https://bücher.example./', 'https://xn--bcher-kva.example/'],
    ['?', 'https://example.com/here'],
    ['#top', 'https://example.com/here'],
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

  it.each([
    ['/a?b=2&a=1', '/a?a=1&b=2'],
    ['/?p=3&a', '/?a&p=3'],
    ['/a?b=%2f&c=x%20y', '/a?c=x+y&b=%2F'],
    ['/caf%c3%a9', '/café'],
    ['/%7euser', '/~user'],
    ['/a?PHPSESSID=0123456789abcdef', '/a'],
    ['/a;jsessionid=1A2B?x=1', '/a?x=1'],
    ['/a?sid=0123456789abcdef0123456789abcdef&x=1', '/a?x=1'],
  ])('compares %s to %s as one', (one, other) => {
    const compared = [one, other].map((path) => comparedAddress(`https://example.com${path}`));
    expect(compared[0]).toBe(compared[1]);
  });

  it.each([
    ['/a?b=1&b=0', '/a?b=0&b=1'],
    ['/a?sid=12', '/a'],
    ['/a?x=%26', '/a?x=&'],
    ['/A', '/a'],
    ['/index.php?/a', '/index.php?/b'],
  ])('compares %s to %s as two', (one, other) => {
    const compared = [one, other].map((path) => comparedAddress(`https://example.com${path}`));
    expect(compared[0]).not.toBe(compared[1]);
  });

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
    expect(site.ownAddress('http://example.com/a', 'https://example.com/')).toBe('https://example.com/a');
    expect(site.ownAddress('/a', 'https://example.com/docs/')).toBe('https://example.com/a');
    for (const foreign of ['https://www.example.com/', 'https://example.com:8443/', 'http://example.com:8080/', 'https://example.org/'])
      expect(site.ownAddress(foreign, 'https://example.com/')).toBeUndefined();
    expect(new Site('http://127.0.0.1:8080/').ownAddress('/a', 'http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080/a');
  });

  it('keeps its pages under the name that it had before, where www. alone is another', () => {
    const moved = new Site('https://www.example.com/', site);
    expect(moved.ownAddress('http://example.com/a?b&a', 'https://www.example.com/')).toBe('https://www.example.com/a?b&a');
    expect(moved.ownAddress('https://docs.example.com/a', 'https://www.example.com/')).toBeUndefined();
    expect(new Site('https://example.org/', site).ownAddress('https://example.com/a', 'https://example.org/')).toBeUndefined();
  });

  it('has an address in one spelling, the first', async () => {
    const found = await site.allOwn(['/x?b&a', '/x?a&b', '/caf%c3%a9', '/café'], 'https://example.com/');
    expect(found).toEqual(['https://example.com/x?b&a', 'https://example.com/caf%c3%a9']);
  });

  it('finds its own pages among many addresses, each once and in their order, while others have their turn', async () => {
    const own = jest.spyOn(site, 'ownAddress').mockImplementation((text) => {
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
    expect(site.ownAddress(`/${'"'.repeat(5_000_000)}`, 'https://example.com/')).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(site.ownAddress(`/a?utm_source=${'x'.repeat(3_000)}`, 'https://example.com/')).toBe('https://example.com/a');
  });

  it('has its rules and its sitemap at the top', () => {
    expect([site.robots, site.sitemap]).toEqual(['https://example.com/robots.txt', 'https://example.com/sitemap.xml']);
  });
});
