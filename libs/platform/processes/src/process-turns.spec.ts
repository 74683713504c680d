import { ProcessTurns } from './process-turns';

interface Work {
  readonly owner?: string;
  readonly name: string;
}

const turnsOf = (places: number, ...names: string[]): ProcessTurns<Work> => {
  const turns = new ProcessTurns<Work>({ places, most: 2 * places + 1, waiting: 10 });
  for (const name of names) turns.enqueueWork(work(name));
  return turns;
};
const works = new Map<string, Work>();
/** The owner is the letter in front. */
const work = (name: string): Work => {
  const known = works.get(name) ?? { name, owner: name.slice(0, 1) };
  works.set(name, known);
  return known;
};
const started = (turns: ProcessTurns<Work>): string[] => {
  const names: string[] = [];
  for (let next = turns.takeNext(); next; next = turns.takeNext()) names.push(next.name);
  return names;
};

describe('whose task runs next', () => {
  it('is each workspace in turn, and within one the first that came', () => {
    const turns = turnsOf(1, 'b1', 'b2', 'b3', 'a1', 'c1');
    const order: string[] = [];
    for (let next = turns.takeNext(); next; next = turns.takeNext()) {
      order.push(next.name);
      turns.releaseTurn(next);
    }
    expect(order).toEqual(['b1', 'a1', 'c1', 'b2', 'b3']);
  });

  it('is nobody while every place is taken', () => {
    const turns = turnsOf(2, 'a1', 'a2', 'a3');
    expect(started(turns)).toEqual(['a1', 'a2']);
    turns.releaseTurn(work('a1'));
    expect(started(turns)).toEqual(['a3']);
  });

  it('is another workspace as soon as a task takes long, and not another task of the one that it belongs to', () => {
    const turns = turnsOf(1, 'b1', 'b2');
    expect(started(turns)).toEqual(['b1']);
    turns.becameLong(work('b1'));
    turns.enqueueWork(work('a1'));
    expect(started(turns)).toEqual(['a1']);
    turns.releaseTurn(work('a1'));
    expect(started(turns)).toEqual([]);
    turns.releaseTurn(work('b1'));
    expect(started(turns)).toEqual(['b2']);
  });

  it('leaves a place to others however many tasks of one workspace take long', () => {
    const turns = turnsOf(2, 'b1', 'b2', 'b3', 'b4', 'b5');
    for (let round = 0; round < 5; round++) for (const name of started(turns)) turns.becameLong(work(name));
    turns.enqueueWork(work('a1'));
    expect(started(turns)).toEqual(['a1']);
  });

  it('is another workspace at once where one has taken every place, and no third', () => {
    const turns = turnsOf(2, 'b1', 'b2', 'b3');
    expect(started(turns)).toEqual(['b1', 'b2']);
    turns.enqueueWork(work('a1'));
    turns.enqueueWork(work('a2'));
    turns.enqueueWork(work('c1'));
    expect(started(turns)).toEqual(['a1']);
    turns.releaseTurn(work('a1'));
    expect(started(turns)).toEqual(['c1']);
  });

  it('never runs more than twice as many as there are places and one', () => {
    const turns = turnsOf(2, 'a1', 'b1', 'c1', 'd1', 'e1', 'f1');
    const all = Array.from({ length: 6 }, () => started(turns).map((name) => (turns.becameLong(work(name)), name))).flat();
    expect(all).toEqual(['a1', 'b1', 'c1', 'd1', 'e1']);
    expect(turns.drain().map(({ name }) => name)).toEqual(['f1']);
  });

  it('never runs more than memory suffices for, and keeps the last place of those for another workspace', () => {
    const turns = new ProcessTurns<Work>({ places: 4, most: 3, waiting: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) turns.enqueueWork(work(name));
    expect(started(turns)).toEqual(['a1', 'a2']);
    for (const name of ['b1', 'c1']) turns.enqueueWork(work(name));
    expect(started(turns)).toEqual(['b1']);
    turns.becameLong(work('a1'));
    expect(started(turns)).toEqual([]);
    turns.releaseTurn(work('b1'));
    expect(started(turns)).toEqual(['c1']);
  });

  it('lets so much work of one workspace wait, whatever others have', () => {
    const turns = new ProcessTurns<Work>({ places: 1, most: 3, waiting: 2 });
    for (const name of ['a1', 'a2', 'b1']) turns.enqueueWork(work(name));
    expect(() => turns.enqueueWork(work('a3'))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '5' } }),
    );
    expect(turns.size).toBe(3);
  });

  it('is nobody who has left the line', () => {
    const turns = turnsOf(1, 'a1', 'a2', 'a3');
    expect(turns.withdrawWork(work('a2'))).toBe(true);
    expect(turns.withdrawWork(work('a2'))).toBe(false);
    expect(started(turns)).toEqual(['a1']);
    turns.releaseTurn(work('a1'));
    expect(started(turns)).toEqual(['a3']);
  });
});
