import { SiteCookies } from './site-cookies';

describe('the cookies of a run', () => {
  let cookies: SiteCookies;
  beforeEach(() => (cookies = new SiteCookies()));

  it('go back to the site that set them', () => {
    cookies.keepCookies('https://example.com/', ['seen=1; Path=/', 'lang=de; Path=/docs; HttpOnly; SameSite=Lax']);
    expect(cookies.headerFor('https://example.com/a')).toBe('seen=1');
    expect(cookies.headerFor('https://example.com/docs/b')?.split('; ').sort()).toEqual(['lang=de', 'seen=1']);
    cookies.keepCookies('https://example.com/', ['seen=2; Path=/']);
    expect(cookies.headerFor('https://example.com/a')).toBe('seen=2');
    cookies.keepCookies('https://example.com/', ['seen=; Path=/; Max-Age=0']);
    expect(cookies.headerFor('https://example.com/a')).toBeUndefined();
  });

  it('go to other names of the site only where it says so', () => {
    cookies.keepCookies('https://example.com/', ['own=1; Path=/', 'all=1; Path=/; Domain=example.com']);
    expect(cookies.headerFor('https://www.example.com/')).toBe('all=1');
  });

  it.each([
    ['https://example.com/', 'a=1; Domain=com', 'https://other.com/'],
    ['https://one.github.io/', 'a=1; Domain=github.io', 'https://two.github.io/'],
    ['https://example.com/', 'a=1; Domain=example.org', 'https://example.org/'],
    ['https://example.com/', 'a=1', 'https://example.org/'],
    ['https://example.com/', 'a=1; Secure', 'http://example.com/'],
    ['http://127.0.0.1:4820/', 'a=1; Path=/', 'http://127.0.0.1:4823/'],
    ['http://127.0.0.1:4820/', 'a=1; Path=/', 'http://localhost:4820/'],
  ])('set by %s as "%s" do not go to %s', (from, cookie, to) => {
    cookies.keepCookies(from, [cookie]);
    expect(cookies.headerFor(to)).toBeUndefined();
  });

  it('are of addresses without a name too', () => {
    cookies.keepCookies('http://127.0.0.1:4820/', ['a=1; Path=/']);
    cookies.keepCookies('http://localhost:4820/', ['b=1']);
    expect([cookies.headerFor('http://127.0.0.1:4820/x'), cookies.headerFor('http://localhost:4820/x')]).toEqual(['a=1', 'b=1']);
  });

  it('are bounded in number, and what is no cookie is passed over', () => {
    cookies.keepCookies('https://example.com/', ['', ';', 'word']);
    for (let n = 0; n < 60; n++) cookies.keepCookies('https://example.com/', [`c${n}=1`]);
    const names = (cookies.headerFor('https://example.com/') ?? '').split('; ');
    expect([names.length, names.includes('c49=1'), names.includes('c50=1')]).toEqual([50, true, false]);
    cookies.keepCookies('https://example.com/x', ['c7=2; Domain=example.com; Path=/']);
    expect(cookies.headerFor('https://example.com/')?.split('; ')).toContain('c7=2');
  });

  it('are bounded in size, each of them and all together, also where one is set once more', () => {
    const sized = (name: string, size: number): string => `${name}=${'x'.repeat(size - name.length - 1)}`;
    cookies.keepCookies('https://example.com/', [
      sized('big', 4_097),
      sized('a', 4_000),
      sized('b', 4_000),
      sized('c', 4_000),
      sized('d', 150),
    ]);
    const kept = (): string[] => (cookies.headerFor('https://example.com/') ?? '').split('; ').map((one) => one.split('=')[0] ?? '');
    expect(kept()).toEqual(['a', 'b', 'd']);
    const { characters } = cookies;
    expect(characters).toBe(`${cookies.headerFor('https://example.com/') ?? ''}; `.length);
    cookies.keepCookies('https://example.com/', [sized('d', 300)]);
    expect(cookies.characters).toBe(characters);
    cookies.keepCookies('https://example.com/', [sized('a', 2_000), sized('c', 1_900)]);
    expect(kept().sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(cookies.headerFor('https://example.com/')?.length).toBeLessThanOrEqual(8_192);
  });
});
