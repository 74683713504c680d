import { Problem } from '@atrium/platform/kernel';
import { idsIn, isWithin, levelOf, lineageBelow } from './lineage';
import { freeSlug, SLUG, slugOf } from './slug';
import { Taxonomy } from './taxonomy';
import { Term } from './term';

const id = (digit: string): string => `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;

function term(digit: string, parent: Term | null = null): Term {
  const made = Object.assign(new Term(), { term_id: id(digit), term_aliases: [] });
  made.placeUnder(parent, 1);
  made.name(`Term ${digit}`);
  return made;
}

const codeOf = (work: () => void): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return undefined;
};

describe('a lineage', () => {
  it('is the ids from the top to the term, and begins that of everything below', () => {
    const [root, child] = [term('a'), term('b')];
    child.placeUnder(root, 1);
    expect(child.term_lineage).toBe(lineageBelow(root.term_lineage, child.term_id));
    expect(idsIn(child.term_lineage)).toEqual([root.term_id, child.term_id]);
    expect([levelOf(root.term_lineage), levelOf(child.term_lineage)]).toEqual([1, 2]);
    expect(isWithin(child.term_lineage, root.term_lineage)).toBe(true);
    expect(isWithin(root.term_lineage, child.term_lineage)).toBe(false);
    expect(isWithin(term('c').term_lineage, root.term_lineage)).toBe(false);
  });

  it('of an id in capitals is that of the id', () => expect(lineageBelow('', id('a').toUpperCase())).toBe(lineageBelow('', id('a'))));
});

describe('a term', () => {
  it('cannot move below itself or anything under it', () => {
    const root = term('a');
    const child = term('b', root);
    const grandchild = term('c', child);
    expect(codeOf(() => root.placeUnder(root, 3))).toBe('invalid_move');
    expect(codeOf(() => root.placeUnder(grandchild, 3))).toBe('invalid_move');
    expect(codeOf(() => grandchild.placeUnder(root, 1))).toBeUndefined();
    expect(grandchild.term_parent).toBe(root.term_id);
  });

  it('nests ten levels deep with all that is below it, and not eleven', () => {
    let deepest: Term | null = null;
    for (const digit of '123456789') deepest = term(digit, deepest);
    const branch = term('a');
    expect(codeOf(() => branch.placeUnder(deepest, 1))).toBeUndefined();
    expect(levelOf(branch.term_lineage)).toBe(10);
    expect(codeOf(() => term('b').placeUnder(deepest, 2))).toBe('invalid_move');
    expect(codeOf(() => term('b').placeUnder(branch, 1))).toBe('invalid_move');
    branch.placeUnder(null, 10);
    expect([branch.term_parent, levelOf(branch.term_lineage)]).toEqual([null, 1]);
  });

  it('has each alias once and none that is its name, and is found by all of them', () => {
    const lamp = term('a');
    lamp.name('Lamp');
    lamp.alsoCall([' Light ', 'LAMP', 'light', 'Torch']);
    expect(lamp.term_aliases).toEqual(['light', 'Torch']);
    expect(lamp.term_words).toBe('lamp\nlight\ntorch');
    lamp.name('Torch');
    expect(lamp.term_aliases).toEqual(['light']);
    expect(codeOf(() => lamp.alsoCall([' ']))).toBe('validation_failed');
  });
});

describe('a slug', () => {
  it.each([
    ['Product lines', 'product-lines'],
    ['  Élan & Größe! ', 'elan-gro-e'],
    ['灯', 'unnamed'],
    ['--', 'unnamed'],
    ['x'.repeat(200), 'x'.repeat(80)],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
    expect(slugOf(name)).toMatch(SLUG.pattern);
  });

  it('that is taken gets the first number that is free, within its length', () => {
    expect(freeSlug('lamp', new Set())).toBe('lamp');
    expect(freeSlug('lamp', new Set(['lamp', 'lamp-2', 'lamp-4']))).toBe('lamp-3');
    const long = 'x'.repeat(80);
    expect(freeSlug(long, new Set([long]))).toBe(`${'x'.repeat(78)}-2`);
  });
});

describe('a taxonomy', () => {
  const taxonomy = (facts: Partial<Taxonomy>): Taxonomy =>
    Object.assign(new Taxonomy(), { tax_name: 'Lines', tax_active: true, tax_managed_by: null, tax_term_count: 0 }, facts);

  it('takes terms while it is active, its own, and has room', () => {
    expect(codeOf(() => taxonomy({}).assertOpen())).toBeUndefined();
    expect(codeOf(() => taxonomy({ tax_active: false }).assertOpen())).toBe('invalid_state');
    expect(codeOf(() => taxonomy({ tax_managed_by: id('a') }).assertOpen())).toBe('invalid_state');
    expect(codeOf(() => taxonomy({ tax_term_count: 19_999 }).assertRoom())).toBeUndefined();
    expect(codeOf(() => taxonomy({ tax_term_count: 20_000 }).assertRoom())).toBe('limit_reached');
  });
});
