import { Backlog } from './backlog';

const filled = (capacity: number, ...items: number[]): Backlog<number> => {
  const backlog = new Backlog<number>(capacity);
  for (const item of items) backlog.add(item);
  return backlog;
};

describe('Backlog', () => {
  it('hands out the oldest first and keeps them until they are released', () => {
    const backlog = filled(5, 1, 2, 3);
    const batch = backlog.oldest(2);
    expect(batch.items).toEqual([1, 2]);
    expect(backlog.size).toBe(3);
    expect(backlog.release(batch)).toEqual([1, 2]);
    expect(backlog.oldest(9).items).toEqual([3]);
  });

  it('lets the oldest go when it is full, and names it', () => {
    const backlog = filled(3, 1, 2, 3);
    expect(backlog.add(4)).toBe(1);
    expect(backlog.size).toBe(3);
    expect(backlog.oldest(3).items).toEqual([2, 3, 4]);
  });

  it('releases of a batch only what was not pushed out while it was being written', () => {
    const backlog = filled(3, 1, 2, 3);
    const batch = backlog.oldest(2);
    backlog.add(4);
    expect(backlog.release(batch)).toEqual([2]);
    backlog.add(5);
    backlog.add(6);
    expect(backlog.oldest(3).items).toEqual([4, 5, 6]);
    expect(backlog.release(batch)).toEqual([]);
  });
});
