import { AT_ONCE, FlowChange, FOLLOWING_BATCH, type Followers } from './flow-change';

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

  describe('that removes states', () => {
    const states = [
      { key: 'draft', initial: true },
      { key: 'done', initial: false },
    ];
    const plan = (counts: Record<string, number>, said: Record<string, string>, map: Record<string, string> = {}) =>
      new FlowChange(standing(counts)).planRemoval({
        map,
        said,
        field: 'state_map',
        states,
        isStrict: true,
        listRemoved: () => Promise.resolve(Object.keys(counts)),
        stateOf: (place) => place,
        refuse: ([{ place, counted }, ...others]) => new Error(`${counted} in ${place}, and ${others.length} more`),
      });

    it('remembers where their subjects go, by what it says and what earlier changes said', async () => {
      expect(await plan({ review: 2, older: 1 }, { review: 'done' }, { older: 'draft' })).toEqual({
        map: { review: 'done', older: 'draft' },
        moved: [
          { place: 'review', to: 'done' },
          { place: 'older', to: 'draft' },
        ],
      });
    });

    it('is refused where it leaves subjects behind, and not for states that nobody is in', async () => {
      await expect(plan({ review: 2, legal: 1, empty: 0 }, {})).rejects.toThrow('2 in review, and 1 more');
      expect(await plan({ empty: 0 }, {})).toEqual({ map: {}, moved: [] });
    });

    it('is refused where it sends them to a state that the flow does not have', async () => {
      await expect(plan({ review: 2 }, { review: 'moon' })).rejects.toThrow('state_map.review');
    });

    it('is refused where it sends a state that the flow still has somewhere else', async () => {
      await expect(plan({}, { draft: 'done' })).rejects.toThrow('state_map.draft: is still a state of the flow');
    });

    it('moves the rest in batches, out of one place after the other', async () => {
      const followers = standing({ review: FOLLOWING_BATCH + 5 });
      const change = new FlowChange(followers);
      expect([await change.moveBatch(['review', 'draft']), await change.moveBatch(['review']), await change.moveBatch([])]).toEqual([
        FOLLOWING_BATCH,
        5,
        0,
      ]);
    });
  });
});
