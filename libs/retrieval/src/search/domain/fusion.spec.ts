import { fuseChannels } from './fusion';

const found = (...ids: string[]) => ids.map((passage_id) => ({ passage_id }));
const near = (...ids: string[]) => ids.map((passage_id, at) => ({ passage_id, similarity: 0.9 - at / 10 }));
const ids = (fused: readonly { passage_id: string }[]): string => fused.map(({ passage_id }) => passage_id).join('');

describe('one order of two channels', () => {
  it('is by the ranks in both: first in both is 1', () => {
    const fused = fuseChannels({ text: found('a', 'b', 'c'), vector: near('a', 'c', 'd'), knowsMeaning: true });
    expect(ids(fused)).toBe('acbd');
    expect(fused[0]).toEqual({ passage_id: 'a', score: 1, text_rank: 1, vector_rank: 1, similarity: 0.9 });
    expect(fused[1]?.score).toBeCloseTo((61 / 63 + 61 / 62) / 2);
    expect(fused[3]).toMatchObject({ text_rank: null, vector_rank: 3 });
  });

  it('breaks ties by similarity, then by id', () => {
    expect(ids(fuseChannels({ text: found('b', 'a'), vector: near('a', 'b'), knowsMeaning: true }))).toBe('ab');
    expect(ids(fuseChannels({ text: found('x'), vector: null, knowsMeaning: true }))).toBe('x');
  });

  it('is the order of the one channel that answered', () => {
    expect(fuseChannels({ text: found('a', 'b'), vector: null, knowsMeaning: true }).map(({ score }) => score)).toEqual([1, 61 / 62]);
    expect(ids(fuseChannels({ text: null, vector: near('b', 'a'), knowsMeaning: false }))).toBe('ba');
  });

  it('puts what a model without meaning finds behind what the words find', () => {
    const fused = fuseChannels({ text: found('a', 'b'), vector: near('c', 'b', 'd'), knowsMeaning: false });
    expect(ids(fused)).toBe('abcd');
    expect(fused.map(({ score }) => score)).toEqual([1, 61 / 62, 61 / 63, 61 / 65]);
    expect(fused[1]).toMatchObject({ text_rank: 2, vector_rank: 2, similarity: 0.8 });
  });
});
