import { NO_RULES, robotRules } from './robots';

const TEXT = `
User-agent: *
Disallow: /private
Allow: /private/open
Crawl-delay: 2

User-agent: Atrium
Disallow: /atrium
Crawl-delay: 90

Sitemap: https://example.com/one.xml
Sitemap: https://example.com/two.xml
`;

describe('the rules of a site', () => {
  it('are those for the crawler by its name, where there are some', () => {
    const rules = robotRules('https://example.com/robots.txt', TEXT);
    expect(rules.isAllowed('https://example.com/atrium/x')).toBe(false);
    expect(rules.isAllowed('https://example.com/private')).toBe(true);
    expect(rules.delayMs).toBe(30_000);
    expect(rules.sitemaps).toEqual(['https://example.com/one.xml', 'https://example.com/two.xml']);
  });

  it('are those for the crawler, whatever version is named', () => {
    const rules = robotRules('https://example.com/robots.txt', TEXT.replace('User-agent: Atrium', 'User-agent: Atrium/2.0'));
    expect(rules.isAllowed('https://example.com/atrium/x')).toBe(false);
  });

  it('are those for everybody else', () => {
    const rules = robotRules('https://example.com/robots.txt', TEXT.replace('User-agent: Atrium', 'User-agent: Other'));
    expect(['/private/a', '/private/open', '/'].map((path) => rules.isAllowed(`https://example.com${path}`))).toEqual([false, true, true]);
    expect(rules.delayMs).toBe(2_000);
  });

  it('name as many sitemaps as are read, none with an address that is longer than any', () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => `Sitemap: /${n}.xml`);
    const { sitemaps } = robotRules('https://example.com/robots.txt', [`Sitemap: /${'x'.repeat(100_000)}`, ...lines].join('\n'));
    expect([sitemaps.length, sitemaps[0]]).toEqual([200, 'https://example.com/0.xml']);
  });

  it.each(['', '<html>Not found</html>', 'Crawl-delay: soon', '\u0000\u0001'])('allow everything where there are none: %j', (text) => {
    const rules = robotRules('https://example.com/robots.txt', text);
    expect([rules.isAllowed('https://example.com/a'), rules.delayMs, rules.sitemaps]).toEqual([true, 0, []]);
    expect(NO_RULES.isAllowed('https://example.com/a')).toBe(true);
  });

  it.each([
    ['Disallow: /a*b', '/axxb/c', false],
    ['Disallow: /a*b', '/axx', true],
    ['Disallow: /*.pdf$', '/x/y.pdf', false],
    ['Disallow: /*.pdf$', '/x/y.pdf?a', true],
    ['Disallow: /$', '/', false],
    ['Disallow: /$', '/a', true],
    ['Disallow: /\nAllow: /', '/a', true],
    ['Disallow: /a/\nAllow: /a/b', '/a/b/c', true],
    ['Disallow: /caf%C3%A9', '/caf\u00e9/menu', false],
    ['Disallow: /a?b=c', '/a?b=cd', false],
    ['Disallow:', '/a', true],
    ['disallow : /a # all of it', '/a', false],
  ])('%j of %s: %s', (rule, path, allowed) => {
    const rules = robotRules(
      'https://example.com/robots.txt',
      `User-agent: Other\nDisallow: /\n\nUser-agent: *\nUser-agent: Some\n${rule}`,
    );
    expect(rules.isAllowed(`https://example.com${path}`)).toBe(allowed);
    expect(rules.isAllowed(`https://other.example${path}`)).toBe(true);
  });

  it('take time that grows with them and the address alone', () => {
    const rules = robotRules('https://example.com/robots.txt', `User-agent: *\n${`Disallow: /${'a*'.repeat(500)}b\n`.repeat(500)}`);
    const begun = process.cpuUsage().user;
    expect(rules.isAllowed(`https://example.com/${'a'.repeat(2_000)}`)).toBe(true);
    expect(process.cpuUsage().user - begun).toBeLessThan(2_000_000);
  });

  it('are the first 500', () => {
    const rules = robotRules('https://example.com/robots.txt', `User-agent: *\n${'Disallow: /a\n'.repeat(500)}Disallow: /b`);
    expect(['/a', '/b'].map((path) => rules.isAllowed(`https://example.com${path}`))).toEqual([false, true]);
  });
});
