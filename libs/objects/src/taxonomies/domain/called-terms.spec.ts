import { folded } from '@atrium/platform/kernel';
import { TermsByName, wordsOf } from './called-terms';
import { NearNames } from './nearest-name';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const lineage = (...numbers: number[]): string => numbers.map((number) => id(number).replaceAll('-', '')).join('');
const term = (number: number, name: string, above: readonly number[] = [], aliases: readonly string[] = []) => ({
  term_id: id(number),
  term_name: name,
  term_slug: `${name.toLowerCase().replaceAll(' ', '-')}-${number}`,
  term_words: folded([name, ...aliases].join('\n')),
  term_lineage: lineage(...above, number),
});
const terms = new TermsByName(
  [
    term(1, 'Home'),
    term(2, 'Lighting', [1], ['Lamps']),
    term(3, 'Garden'),
    term(4, 'Lighting', [3]),
    term(5, 'AC/DC'),
    term(6, 'Lamps', [3]),
  ],
  new Map([
    [id(1), 'Home'],
    [id(3), 'Garden'],
  ]),
);

describe('terms as cells call them', () => {
  it.each([
    ['Home', id(1)],
    ['HOME', id(1)],
    ['home-1', id(1)],
    ['Lighting-4', id(4)],
    ['Home > Lighting', id(2)],
    ['home/lighting', id(2)],
    ['Garden » Lighting', id(4)],
    ['AC/DC', id(5)],
    // A name comes before an alias.
    ['Lamps', id(6)],
  ])('%s is %s', (name, term_id) => {
    expect(terms.meaningOf(name)).toEqual({ term_id });
  });

  it('that several are called are named by their paths', () => {
    expect(terms.meaningOf('lighting')).toEqual({ several: ['Home > Lighting', 'Garden > Lighting'] });
    // The slug of the first is its name in small letters: as people write it, it names both.
    const first = { ...term(2, 'Lighting', [1]), term_slug: 'lighting' };
    const both = new TermsByName(
      [first, term(4, 'Lighting', [3])],
      new Map([
        [id(1), 'Home'],
        [id(3), 'Garden'],
      ]),
    );
    expect(both.meaningOf('Lighting')).toEqual({ several: ['Home > Lighting', 'Garden > Lighting'] });
    expect(both.meaningOf('lighting')).toEqual({ term_id: id(2) });
  });

  it.each(['Lightning', 'Attic > Lighting', '>', 'Home > Lighting > Home'])('%s is none', (name) => {
    expect(terms.meaningOf(name)).toBeNull();
  });

  it('look at the names above a term once, however many paths end with its name', () => {
    const MANY = 1_000;
    const above = new Map(Array.from({ length: MANY }, (_, at) => [id(at + 1), `Parent ${at}`]));
    const get = jest.spyOn(above, 'get');
    const many = new TermsByName(
      Array.from({ length: MANY }, (_, at) => term(MANY + at + 1, 'x', [at + 1])),
      above,
    );
    for (let at = 0; at < MANY; at++) expect(many.meaningOf(`parent ${at} > x`)).toEqual({ term_id: id(MANY + at + 1) });
    expect(many.meaningOf('Attic > x')).toBeNull();
    expect(get).toHaveBeenCalledTimes(MANY);
  });

  it('are looked up by slug, name and the end of a path', () => {
    expect(wordsOf(['Home > Lighting', 'B'])).toEqual({ slugs: ['home > lighting', 'b'], words: ['home > lighting', 'lighting', 'b'] });
  });
});

describe('the nearest name', () => {
  const names = new NearNames(['Lighting', 'Garden', 'Home', 'Sofas', 'x'.repeat(1_000)]);

  it.each([
    ['Lightning', 'Lighting'],
    ['lihgting', 'Lighting'],
    ['Gardens', 'Garden'],
    ['Hme', 'Home'],
    ['Kitchen', undefined],
    ['So', undefined],
    ['x'.repeat(1_000), undefined],
  ])('of %s is %s', (name, nearest) => {
    expect(names.nearest(name)).toBe(nearest);
  });

  it('is found by the letters that are near each other alone', () => {
    const least = jest.spyOn(Math, 'min');
    expect(new NearNames([`${'a'.repeat(58)}bc`]).nearest('a'.repeat(58))).toBe(`${'a'.repeat(58)}bc`);
    const compared = least.mock.calls.length;
    least.mockRestore();
    expect(compared).toBeLessThan((58 * 60) / 2);
  });
});
