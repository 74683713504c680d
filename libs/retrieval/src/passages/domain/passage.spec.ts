import { isId } from '@atrium/platform/kernel';
import { passagesOf } from './passage';

const SOURCE = { kind: 'file', id: '0190b2f4-0000-7000-8000-000000000000' };
const chunk = (text: string, heading = '') => ({
  text,
  heading,
  lead: '',
  page_from: null,
  page_to: null,
  char_start: 0,
  char_end: text.length,
  tokens: 1,
});

describe('passages of a source', () => {
  it('keep their ids while they say the same, wherever they stand', () => {
    const [a, b] = passagesOf(SOURCE, [chunk('a'), chunk('b')]);
    const again = passagesOf(SOURCE, [chunk('new'), chunk('b'), chunk('a')]);
    expect(again.map(({ passage_id }) => passage_id)).toEqual([expect.any(String), b?.passage_id, a?.passage_id]);
    expect(again.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
  });

  it('have ids of their own where a text repeats, in other sources and under other headings', () => {
    const all = [
      ...passagesOf(SOURCE, [chunk('a'), chunk('a'), chunk('a', 'Heading')]),
      ...passagesOf({ ...SOURCE, kind: 'record' }, [chunk('a')]),
      ...passagesOf({ ...SOURCE, id: '0190b2f4-0000-7000-8000-000000000001' }, [chunk('a')]),
    ];
    expect(new Set(all.map(({ passage_id }) => passage_id)).size).toBe(5);
    for (const { passage_id } of all) expect(isId(passage_id)).toBe(true);
    expect(all[0]?.hash).toBe(all[1]?.hash);
    expect(all[0]?.hash).not.toBe(all[2]?.hash);
  });
});
