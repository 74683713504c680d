import { SiteCookies } from './site-cookies';

describe('the cookies of a run', () => {
  let cookies: SiteCookies;
  beforeEach(() => (cookies = new SiteCookies()));

  it('go back to the site that set them', () => {
    cookies.keep('https://example.com/', ['seen=1; Path=/', 'lang=de; Path=/docs; HttpOnly; SameSite=Lax']);
    expect(cookies.headerFor('https://example.com/a')).toBe('seen=1');
    expect(cookies.headerFor('https://example.com/docs/b')?.split('; ').sort()).toEqual(['lang=de', 'seen=1']);
    cookies.keep('https://example.com/', ['seen=2; Path=/']);
    expect(cookies.headerFor('https://example.com/a')).toBe('seen=2');
    cookies.keep('https://example.com/', ['seen=; Path=/; Max-Age=0']);
    expect(cookies.headerFor('https://example.com/a')).toBeUndefined();
  });

  it('go to other names of the site only where it says so', () => {
    cookies.keep('https://example.com/', ['own=1; Path=/', 'all=1; Path=/; Domain=example.com']);
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
    cookies.keep(from, [cookie]);
    expect(cookies.headerFor(to)).toBeUndefined();
  });

  it('are of addresses without a name too', () => {
    cookies.keep('http://127.0.0.1:4820/', ['a=1; Path=/']);
    cookies.keep('http://localhost:4820/', ['b=1']);
    expect([cookies.headerFor('http://127.0.0.1:4820/x'), cookies.headerFor('http://localhost:4820/x')]).toEqual(['a=1', 'b=1']);
  });

  it('are bounded in number and size, and what is no cookie is passed over', () => {
    cookies.keep('https://example.com/', ['', ';', `big=${'x'.repeat(5_000)}`, 'a=1\u0000b']);
    for (let n = 0; n < 200; n++) cookies.keep('https://example.com/', [`c${n}=${'x'.repeat(n < 100 ? 10 : 4_000)}`]);
    const header = cookies.headerFor('https://example.com/') ?? '';
    expect(header.split('; ').length).toBeLessThanOrEqual(50);
    expect(header.length).toBeLessThanOrEqual(8_192);
    expect(header).toContain('c0=');
  });
});
