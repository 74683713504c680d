import { freeSlug, pagePath, readSlug, slugFromName } from './slugs';

describe('a slug made from a name', () => {
  it.each([
    ['Über uns', 'de', 'ueber-uns'],
    ['Über uns', 'de-AT', 'ueber-uns'],
    ['Über uns', 'en', 'uber-uns'],
    ['Größe & Maße', 'de', 'groesse-masse'],
    ['Smørrebrød på åen', 'da', 'smoerrebroed-paa-aaen'],
    ['Crème brûlée', 'fr', 'creme-brulee'],
    ["L'été d'Anaïs", 'fr', 'lete-danais'],
    ['Привет, мир', 'ru', 'privet-mir'],
    ['你好', 'zh', 'ni-hao'],
    ['  --A__b//c.. ', 'en', 'a-b-c'],
    ['../../etc', 'en', 'etc'],
    ['***', 'en', 'page'],
    ['', 'en', 'page'],
  ])('%j in %s is %j', (name, locale, slug) => expect(slugFromName(name, locale)).toBe(slug));

  it('has at most 120 characters, of whole words where it can', () => {
    expect(slugFromName('word '.repeat(40), 'en')).toBe(Array.from({ length: 24 }, () => 'word').join('-'));
    expect(slugFromName('x'.repeat(200), 'en')).toBe('x'.repeat(120));
  });

  it('is numbered where it is taken', () => {
    expect(freeSlug('lamp', new Set())).toBe('lamp');
    expect(freeSlug('lamp', new Set(['lamp', 'lamp-2']))).toBe('lamp-3');
    expect(freeSlug('x'.repeat(120), new Set(['x'.repeat(120)]))).toBe(`${'x'.repeat(118)}-2`);
  });

  it('is a slug that may be given', () => {
    for (const name of ['Über uns', '你好', '***', 'a'.repeat(300)]) expect(readSlug(slugFromName(name, 'de'), TOP)).toHaveProperty('slug');
  });
});

const TOP = { isTop: true, prefixes: ['', 'de', 'fr-ca'] };
const BELOW = { isTop: false, prefixes: ['', 'de'] };

describe('a given slug', () => {
  it.each([
    ['lamp', BELOW, 'lamp'],
    ['Lamp-2', BELOW, 'Lamp-2'],
    ['über-uns', BELOW, 'über-uns'],
    ['u\u0308ber', BELOW, 'über'],
    ['हिन्दी', BELOW, 'हिन्दी'],
    ['', TOP, ''],
    ['de', BELOW, 'de'],
    ['x'.repeat(120), BELOW, 'x'.repeat(120)],
  ])('%j is stored in its normal form', (given, place, slug) => expect(readSlug(given, place)).toEqual({ slug }));

  it.each([
    ['', BELOW, 'required'],
    ['.', BELOW, 'format'],
    ['..', BELOW, 'format'],
    ['a/b', BELOW, 'format'],
    ['a b', BELOW, 'format'],
    ['a--b', BELOW, 'format'],
    ['-a', BELOW, 'format'],
    ['a-', BELOW, 'format'],
    ['a%2fb', BELOW, 'format'],
    ['a\u0000', BELOW, 'format'],
    ['\u0308a', BELOW, 'format'],
    ['x'.repeat(121), BELOW, 'length'],
    ['de', TOP, 'option'],
    ['FR-CA', TOP, 'option'],
  ])('%j is refused', (given, place, code) => expect(readSlug(given, place)).toMatchObject({ code }));
});

describe('the path of a page', () => {
  it.each([
    ['', [''], '/'],
    ['', ['products', 'lamp'], '/products/lamp'],
    ['de', [''], '/de'],
    ['de', ['produkte', 'lampe'], '/de/produkte/lampe'],
  ])('with the prefix %j and the slugs %j is %s', (prefix, slugs, path) => expect(pagePath(prefix, slugs)).toBe(path));
});
