import { globCost, PathGlobs } from './path-globs';

const wants = (include: string[], exclude: string[], path: string): boolean =>
  new PathGlobs(include, exclude).isWanted(`https://example.com${path}`);

describe('globs over path and query', () => {
  it('want everything where nothing is included', () => expect(wants([], [], '/a/b?c=1')).toBe(true));

  it.each([
    ['/docs/*', '/docs/start', true],
    ['/docs/*', '/docs/deep/start', false],
    ['/docs/**', '/docs/deep/start', true],
    ['/docs/**', '/blog/docs/', false],
    ['**/print', '/docs/deep/print', true],
    ['/item?id=*', '/item?id=7', true],
    ['/item?id=*', '/itemsid=7', false],
    ['/a.b', '/axb', false],
    ['/(a+)+$', '/aaa', false],
    ['/a/*/c', '/a/b/c', true],
    ['/a/*/c', '/a/b/x/c', false],
    ['/a/*b*/c', '/a/xbybz/c', true],
    ['/**/b*', '/a/b/bc', true],
    ['/**/b*', '/a/b/c', false],
    ['*', '/a', false],
    ['/*', '/', true],
    ['**', '/', true],
  ])('%s of %s: %s', (glob, path, wanted) => expect(wants([glob], [], path)).toBe(wanted));

  it('exclude before they include', () => expect(wants(['/docs/**'], ['/docs/*/print'], '/docs/a/print')).toBe(false));

  it('take time that grows with the address alone', () => {
    const begun = process.cpuUsage().user;
    expect(wants([`/${'a*'.repeat(200)}b`], [], `/${'a'.repeat(2_000)}`)).toBe(false);
    expect(process.cpuUsage().user - begun).toBeLessThan(2_000_000);
  });

  it('are refused where they ask for more than an address is worth', () => {
    expect(globCost('/docs/*/**/x')).toBeUndefined();
    expect(globCost('a*'.repeat(9))).toMatch('8');
    expect(globCost('a'.repeat(501))).toMatch('500');
  });
});
