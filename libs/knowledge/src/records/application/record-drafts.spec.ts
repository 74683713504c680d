import { Ids } from '@atrium/platform/kernel';
import { KnowledgeRecord } from '../domain/knowledge-record';
import { NO_FACTS, type RecordWish } from '../domain/record-facts';
import { draftsOf, wishedFacts } from './record-drafts';

class Counting extends Ids {
  private count = 0;

  next(): string {
    return `new-${(this.count += 1)}`;
  }
}

const record = (rec_id: string): KnowledgeRecord => Object.assign(new KnowledgeRecord(), { rec_id });
const keyOf = ({ rec_external_id }: RecordWish): string | null => rec_external_id ?? null;
const KNOWN = new Map([['a', record('old')]]);

describe('drafts of records', () => {
  it('replace the records that have their key, and are new without one', () => {
    const { drafts, refusals } = draftsOf([{ rec_external_id: 'a' }, { rec_external_id: 'b' }, {}, {}], KNOWN, keyOf, {
      upsert: true,
      ids: new Counting(),
    });
    expect(drafts.map(({ at, rec_id, previous }) => [at, rec_id, previous?.rec_id])).toEqual([
      [0, 'old', 'old'],
      [1, 'new-1', undefined],
      [2, 'new-2', undefined],
      [3, 'new-3', undefined],
    ]);
    expect(refusals.size).toBe(0);
  });

  it('are refused where they would replace a record without being asked to', () => {
    const { drafts, refusals } = draftsOf([{ rec_external_id: 'a' }], KNOWN, keyOf, { upsert: false, ids: new Counting() });
    expect(drafts).toEqual([]);
    expect(refusals.get(0)?.issues[0]?.code).toBe('unique');
  });

  it('of one key are the last one; those before it are reported', () => {
    const { drafts, refusals } = draftsOf([{ rec_external_id: 'b' }, {}, { rec_external_id: 'b' }], KNOWN, keyOf, {
      upsert: true,
      ids: new Counting(),
    });
    expect(drafts.map(({ at }) => at)).toEqual([1, 2]);
    expect(refusals.get(0)?.issues[0]?.code).toBe('duplicate_key');
  });
});

describe('what a record says once a wish is granted', () => {
  const previous = {
    ...NO_FACTS,
    rec_name: 'x',
    rec_content: {},
    rec_url: 'https://a.example',
    rec_tags: ['a'],
    rec_status: 'draft' as const,
  };

  it('keeps what the wish does not name, and clears what it names null', () => {
    expect(wishedFacts({ rec_url: null }, previous)).toMatchObject({ rec_url: null, rec_tags: ['a'], rec_status: 'draft' });
    expect(wishedFacts({}, null)).toEqual({ ...NO_FACTS });
  });

  it('has each tag once', () => {
    expect(wishedFacts({ rec_tags: [' a', 'a', 'b'] }, null).rec_tags).toEqual(['a', 'b']);
  });
});
