import { faultsOfFacts, faultsOfText } from './record-checks';
import { hashOf, NO_FACTS, textOf, type RecordFacts } from './record-facts';

const factsOf = (more: Partial<RecordFacts> = {}): RecordFacts => ({
  ...NO_FACTS,
  rec_name: 'Lamp',
  rec_content: { body: 'Brass.' },
  ...more,
});
const paths = (more: Partial<RecordFacts>): string[] => faultsOfFacts(factsOf(more)).map(({ path }) => path);

describe('the digest of a record', () => {
  it('is the same for the same facts in another order, and with other ids of rows', () => {
    const one = factsOf({ rec_content: { name: 'x', steps: [{ _id: 'a', step: '1' }] }, rec_metadata: { a: 1, b: 2 } });
    const two = factsOf({ rec_content: { steps: [{ step: '1', _id: 'b' }], name: 'x' }, rec_metadata: { b: 2, a: 1 } });
    expect(hashOf(one)).toBe(hashOf(two));
    expect(textOf(one, 1)).toBe(textOf(two, 1));
  });

  it.each<Partial<RecordFacts>>([
    { rec_name: 'Lamps' },
    { rec_content: { body: 'Iron.' } },
    { rec_url: 'https://a.example' },
    { rec_external_id: 'a' },
    { rec_tags: ['a'] },
    { rec_language: 'en' },
    { rec_status: 'draft' },
    { rec_valid_from: new Date(0) },
    { rec_valid_until: new Date(0) },
    { rec_metadata: { _id: 'a' } },
  ])('is another one with %j', (more) => {
    expect(hashOf(factsOf(more))).not.toBe(hashOf(factsOf()));
  });

  it('of its text leaves out what passages do not say, and knows the revision of the schema', () => {
    const text = textOf(factsOf(), 1);
    expect(textOf(factsOf({ rec_status: 'draft', rec_tags: ['a'], rec_language: 'en' }), 1)).toBe(text);
    expect(textOf(factsOf(), 2)).not.toBe(text);
    for (const more of [{ rec_name: 'x' }, { rec_content: { body: 'x' } }, { rec_url: 'https://a.example' }])
      expect(textOf(factsOf(more), 1)).not.toBe(text);
  });
});

describe('a record', () => {
  it('is judged the same for every writer', () => {
    expect(paths({})).toEqual([]);
    expect(paths({ rec_name: ' ' })).toEqual(['rec_name']);
    expect(paths({ rec_name: 'x'.repeat(501) })).toEqual(['rec_name']);
    expect(paths({ rec_name: 'a\u0000b' })).toEqual(['rec_name']);
    expect(paths({ rec_name: 'a\ud800b' })).toEqual(['rec_name']);
    expect(paths({ rec_name: '🚢 Ships' })).toEqual([]);
    expect(paths({ rec_url: 'ftp://a.example' })).toEqual(['rec_url']);
    expect(paths({ rec_url: 'not an address' })).toEqual(['rec_url']);
    expect(paths({ rec_external_id: 'x'.repeat(513) })).toEqual(['rec_external_id']);
    expect(paths({ rec_tags: Array.from({ length: 51 }, (_, n) => `t${n}`) })).toEqual(['rec_tags']);
    expect(paths({ rec_tags: [''] })).toEqual(['rec_tags']);
    expect(paths({ rec_language: 'EN' })).toEqual(['rec_language']);
    expect(paths({ rec_metadata: { a: 'x'.repeat(64 * 1024) } })).toEqual(['rec_metadata']);
    expect(paths({ rec_valid_from: new Date(1), rec_valid_until: new Date(1) })).toEqual(['rec_valid_until']);
  });

  it('of a text base has a body alone', () => {
    expect(faultsOfText({ body: 'x' })).toEqual([]);
    expect(faultsOfText({}).map(({ code }) => code)).toEqual(['required']);
    expect(faultsOfText({ body: 3 }).map(({ code }) => code)).toEqual(['type']);
    expect(faultsOfText({ body: 'x', title: 'y' }).map(({ path }) => path)).toEqual(['rec_content.title']);
    expect(faultsOfText({ body: 'x'.repeat(200_001) }).map(({ code }) => code)).toEqual(['length']);
  });
});
