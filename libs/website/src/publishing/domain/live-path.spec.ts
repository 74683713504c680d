import { fullPath, pathBelow, prefixRulesFor, splitFullPath } from './live-path';

const LOCALES = [
  { code: 'en', prefix: '' },
  { code: 'de', prefix: 'de' },
  { code: 'pt-BR', prefix: 'br' },
];

describe('a live path', () => {
  it.each([
    ['/', '', '/'],
    ['/', 'products', '/products'],
    ['/products', 'lamp', '/products/lamp'],
  ])('below %s with the segment %p is %s', (above, segment, path) => {
    expect(pathBelow(above, segment)).toBe(path);
  });

  it.each([
    ['', '/', '/'],
    ['', '/products', '/products'],
    ['de', '/', '/de'],
    ['de', '/produkte', '/de/produkte'],
  ])('behind the prefix %p: %s is %s', (prefix, path, full) => {
    expect(fullPath(prefix, path)).toBe(full);
  });

  it.each([
    ['/', 'en', '/'],
    ['/products', 'en', '/products'],
    ['/de', 'de', '/'],
    ['/de/produkte/lampe', 'de', '/produkte/lampe'],
    ['/dekor', 'en', '/dekor'],
    ['/br/lojas', 'pt-BR', '/lojas'],
  ])('%s belongs to %s as %s', (full, locale, path) => {
    expect(splitFullPath(LOCALES, full)).toEqual({ locale, path });
  });

  it('belongs to no locale where every locale has a prefix that it lacks', () => {
    expect(splitFullPath([{ code: 'de', prefix: 'de' }], '/produkte')).toBeNull();
  });

  it('may match the prefix rules above it, the most specific first, and never its own address', () => {
    expect(prefixRulesFor('/a/b/c')).toEqual(['/a/b/*', '/a/*', '/*']);
    expect(prefixRulesFor('/a')).toEqual(['/*']);
  });
});
