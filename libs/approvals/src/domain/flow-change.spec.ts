import { AT_ONCE, FlowChange, type Followers } from './flow-change';

/** Subjects by their states, and what was moved. */
const standing = (counts: Record<string, number>): Followers<string> & { readonly moved: string[] } => {
  const moved: string[] = [];
  return {
    moved,
    countIn: (state, most) => Promise.resolve(Math.min(counts[state] ?? 0, most)),
    moveOut: (state, most) => {
      const found = Math.min(counts[state] ?? 0, most);
      counts[state] = (counts[state] ?? 0) - found;
      moved.push(`${state} ${found}`);
      return Promise.resolve(found);
    },
  };
};

describe('a change of a flow', () => {
  it('names the states whose subjects it would leave behind, and no state without subjects', async () => {
    const change = new FlowChange(standing({ draft: 3, review: 0, old: AT_ONCE + 5 }));
    expect(await change.findStranded(['draft', 'review', 'old'])).toEqual([
      { place: 'draft', counted: '3' },
      { place: 'old', counted: 'more than 1000' },
    ]);
  });

  it('moves all subjects where they are few', async () => {
    const followers = standing({ draft: 3, review: 2 });
    const change = new FlowChange(followers);
    expect(await change.moveSubjects(['draft', 'review'])).toEqual([]);
    expect(followers.moved).toEqual(['draft 3', 'review 2']);
    expect(change.isSpent).toBe(false);
  });

  it('moves a thousand in all, and names the states with subjects left', async () => {
    const followers = standing({ draft: 600, review: 600, old: 1, empty: 0 });
    const change = new FlowChange(followers);
    expect(await change.moveSubjects(['draft', 'review', 'old', 'empty'])).toEqual(['review', 'old']);
    expect(followers.moved).toEqual(['draft 600', 'review 400']);
    expect(change.isSpent).toBe(true);
  });

  it('names no state where the last subject was the thousandth', async () => {
    const change = new FlowChange(standing({ draft: AT_ONCE }));
    expect(await change.moveSubjects(['draft'])).toEqual([]);
    expect(change.isSpent).toBe(true);
  });

  it('counts other work of the change with what it moves, and does none beyond a thousand', async () => {
    const change = new FlowChange(standing({ draft: 10 }));
    await change.spend((most) => Promise.resolve(most - 5));
    await change.moveSubjects(['draft']);
    const more = jest.fn(() => Promise.resolve(1));
    await change.spend(more);
    expect(more).not.toHaveBeenCalled();
  });
});
