import fc from 'fast-check';
import { ranksAtEnd, ranksAtStart, ranksBetween } from './rank';

const NOW = new Date('2026-03-01T12:00:00Z');
const sorted = (ranks: readonly string[]): boolean => ranks.every((rank, i) => i === 0 || (ranks[i - 1] as string) < rank);

describe('a rank', () => {
  it('at the end is behind the last one, also when the clock stops or is set back', () => {
    const first = ranksAtEnd(null, 3, NOW);
    const more = ranksAtEnd(first.at(-1) as string, 3, NOW);
    const earlier = ranksAtEnd(more.at(-1) as string, 3, new Date(0));
    expect(sorted([...first, ...more, ...earlier])).toBe(true);
  });

  it('at the start is in front of the first one', () => {
    const middle = ranksAtEnd(null, 2, NOW);
    const front = ranksAtStart(middle[0] as string, 10_000, NOW) as string[];
    expect(front).toHaveLength(10_000);
    expect(sorted([...front, ...middle])).toBe(true);
    expect(ranksAtStart(null, 1, NOW)).toEqual(ranksAtEnd(null, 1, NOW));
  });

  it('is between any two that differ, in the order asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 60 }), (picks) => {
        let ranks = ranksAtEnd(null, 2, NOW);
        for (const pick of picks) {
          const at = pick % (ranks.length + 1);
          const fresh = ranksBetween(ranks[at - 1] ?? null, ranks[at] ?? null, 1 + (pick % 3));
          if (!fresh) return false;
          ranks = [...ranks.slice(0, at), ...fresh, ...ranks.slice(at)];
        }
        return sorted(ranks);
      }),
    );
  });

  it('finds no room between equal ones, nor for ever at one place', () => {
    const [low, high] = ranksAtEnd(null, 2, NOW) as [string, string];
    expect(ranksBetween(low, low, 1)).toBeNull();
    let at: string[] | null = [high];
    for (let i = 0; at && i < 2_000; i++) at = ranksBetween(low, at[0] as string, 1);
    expect(at).toBeNull();
  });
});
