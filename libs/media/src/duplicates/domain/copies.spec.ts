import { bestFirst, pairsAmong, similarityOf, isDistinctive, whyBetter, withoutDismissed, type Copy } from './copies';

const copy = (file_id: string, more: Partial<Copy> = {}): Copy => ({
  file_id,
  file_hash: file_id,
  file_size: 100,
  file_created: '2026-01-01T00:00:00.000Z',
  phash: '00000000ffffffff',
  width: 100,
  height: 100,
  known: 0,
  detail: null,
  captured: 0,
  taken: null,
  ...more,
});

describe('copies of one picture', () => {
  it('are best when they have most pixels, then bytes, then metadata, then are oldest', () => {
    const order = (...copies: Copy[]): string[] => bestFirst(copies).map(({ file_id }) => file_id);
    expect(order(copy('small'), copy('large', { width: 200 }))).toEqual(['large', 'small']);
    expect(order(copy('light'), copy('heavy', { file_size: 200 }))).toEqual(['heavy', 'light']);
    expect(order(copy('bare'), copy('known', { known: 3 }))).toEqual(['known', 'bare']);
    expect(order(copy('a', { file_created: '2026-01-02T00:00:00.000Z' }), copy('b'))).toEqual(['b', 'a']);
  });

  it('are best as the original: what an enlarged copy adds is not there, and among equals facts of the capture tell', () => {
    const order = (...copies: Copy[]): string[] => bestFirst(copies).map(({ file_id }) => file_id);
    const original = copy('original', { width: 1000, height: 800, detail: 0.9 });
    const enlarged = copy('enlarged', { width: 2000, height: 1600, detail: 0.24, file_size: 900 });
    expect(order(enlarged, copy('reduced', { width: 500, height: 400, detail: 1 }), original)[0]).toBe('original');
    expect(order(copy('larger', { width: 2000, height: 1600, detail: 0.6 }), original)[0]).toBe('larger');
    const soft = [
      copy('soft', { width: 1000, height: 800, detail: 0.232, captured: 3 }),
      copy('soft, enlarged', { width: 2000, height: 1600, detail: 0.1 }),
    ];
    expect(order(...soft)[0]).toBe('soft');
    expect(order(copy('bare'), copy('by camera', { captured: 2 }))[0]).toBe('by camera');
    expect(order(copy('small, by camera', { width: 20, captured: 4 }), copy('large'))[0]).toBe('large');
    expect(
      order(copy('later', { taken: '2026-01-02T00:00:00.000Z' }), copy('no time'), copy('first', { taken: '2026-01-01T00:00:00.000Z' })),
    ).toEqual(['first', 'later', 'no time']);
    expect(order(copy('not measured'), enlarged)[0]).toBe('enlarged');
  });

  it('say in what each is the best, and in nothing where all are equal', () => {
    const [large, heavy] = [copy('large', { width: 200 }), copy('heavy', { file_size: 200, known: 1 })];
    expect(whyBetter(large, [large, heavy])).toEqual({ pixels: true, size: false, metadata: false });
    expect(whyBetter(heavy, [large, heavy])).toEqual({ pixels: false, size: true, metadata: true });
    expect(whyBetter(copy('a'), [copy('a'), copy('b')])).toEqual({ pixels: false, size: false, metadata: false });
  });

  it('are as alike as the bits of their looks; equal bytes are alike whatever they are', () => {
    expect(similarityOf(copy('a'), copy('b', { phash: '00000000fffffff0' }))).toBe(0.9375);
    expect(similarityOf(copy('a', { file_hash: 'x', phash: null }), copy('b', { file_hash: 'x', phash: null }))).toBe(1);
    expect(similarityOf(copy('a', { phash: null }), copy('b'))).toBe(0);
    expect(
      similarityOf(copy('a', { file_hash: 'x', phash: null, file_size: 0 }), copy('b', { file_hash: 'x', phash: null, file_size: 0 })),
    ).toBe(0);
  });

  it('are not found by hashes that say nothing', () => {
    expect([null, '0000000000000000', '0000000000000007', 'ffffffffffffffff'].map(isDistinctive)).toEqual([false, false, false, false]);
    expect(['00000000ffffffff', '000000000000000f'].map(isDistinctive)).toEqual([true, true]);
  });

  it('never stand together where somebody said that they are none', () => {
    expect(withoutDismissed(['d', 'a', 'b', 'a'], [['a', 'b']], 10)).toEqual(['d', 'a']);
    expect(withoutDismissed(['a', 'b', 'c'], [], 2)).toEqual(['a', 'b']);
    expect(pairsAmong(['c', 'a', 'b'])).toEqual([
      ['a', 'c'],
      ['b', 'c'],
      ['a', 'b'],
    ]);
  });
});
