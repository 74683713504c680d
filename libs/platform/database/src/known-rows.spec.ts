import { encodeCursor } from './cursor';
import { Choice, Flag, Text, Whole } from './fields';
import { pageOfRows } from './known-rows';
import type { ListParameters, Page } from './list';

class Gate {
  @Text({ sort: true, filter: 'contains' }) gate_name!: string;
  @Choice(['open', 'shut'], { filter: 'equals' }) gate_state!: string;
  @Whole({ sort: true, optional: true }) gate_visits!: number | null;
  @Whole({ filter: 'range' }) gate_height!: number;
  @Flag({ sort: true }) gate_lit!: boolean;
}

const gate = (gate_name: string, gate_visits: number | null, gate_state = 'open', gate_lit = false): Gate => ({
  gate_name,
  gate_visits,
  gate_state,
  gate_lit,
  gate_height: gate_name.length,
});
const GATES = [gate('west', 7, 'shut'), gate('East', 7), gate('north', null, 'open', true), gate('south', 90), gate('Äußeres', 7)];
const NAMES = GATES.map(({ gate_name }) => gate_name);

const pageOf = (query: ListParameters & Partial<Record<keyof Gate, unknown>>, rows: readonly Gate[] = GATES): Page<Gate> =>
  pageOfRows(Gate, rows, query, (row) => row.gate_name);
const names = (page: Page<Gate>): string[] => page.data.map(({ gate_name }) => gate_name);

function walk(query: ListParameters): string[] {
  const seen: string[] = [];
  for (let cursor: string | undefined; seen.length <= GATES.length;) {
    const page: Page<Gate> = pageOf({ ...query, cursor });
    seen.push(...names(page));
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (page.next_cursor === null) return seen;
    cursor = page.next_cursor;
  }
  throw new Error('The walk does not end.');
}

describe('a page of known rows', () => {
  it('holds all of them in the order given when nothing is asked', () => {
    expect(pageOf({})).toEqual({ data: GATES, has_more: false, next_cursor: null });
    const many = Array.from({ length: 1_001 }, (_, n) => gate(`g${n}`, n));
    expect(pageOf({}, many)).toMatchObject({ data: { length: 1_000 }, has_more: true });
    expect(pageOf({ limit: 5_000 }, many).data).toHaveLength(1_000);
    expect(pageOf({}, [])).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  it.each([
    [undefined, NAMES],
    ['gate_name', ['East', 'north', 'south', 'west', 'Äußeres']],
    ['-gate_name', ['Äußeres', 'west', 'south', 'north', 'East']],
    ['gate_visits', ['north', 'East', 'west', 'Äußeres', 'south']],
    ['-gate_visits', ['south', 'Äußeres', 'west', 'East', 'north']],
    ['-gate_lit', ['north', 'Äußeres', 'west', 'south', 'East']],
    ['gate_state', NAMES],
    ['constructor', NAMES],
  ])('is walked by cursor in the order of %s, every row once', (sort, expected) => {
    for (const limit of [1, 2, 3, 5]) expect(walk({ sort, limit })).toEqual(expected);
  });

  it('goes on behind its cursor when rows come and go in the meantime', () => {
    const cursor = pageOf({ limit: 3 }).next_cursor ?? '';
    expect(names(pageOf({ cursor }, [gate('new', 1), ...GATES]))).toEqual(['south', 'Äußeres']);
    expect(
      names(
        pageOf(
          { cursor },
          GATES.filter(({ gate_name }) => gate_name !== 'north'),
        ),
      ),
    ).toEqual(['south', 'Äußeres']);
    const sorted = pageOf({ limit: 2, sort: 'gate_name' }).next_cursor ?? '';
    expect(
      names(
        pageOf(
          { cursor: sorted, sort: 'gate_name' },
          GATES.filter(({ gate_name }) => gate_name !== 'north'),
        ),
      ),
    ).toEqual(['south', 'west', 'Äußeres']);
  });

  it('starts at the first row for a cursor of another order, an unreadable one, or one nobody issued', () => {
    const cursor = pageOf({ limit: 2, sort: 'gate_name' }).next_cursor ?? '';
    expect(names(pageOf({ cursor }))).toEqual(NAMES);
    expect(names(pageOf({ cursor: 'abc' }))).toEqual(NAMES);
    for (const key of [-2, 1.5, 'x']) expect(names(pageOf({ cursor: encodeCursor({ sort: '', key, id: 'nobody' }) }))).toEqual(NAMES);
    expect(pageOf({ cursor: encodeCursor({ sort: '', key: 1e9, id: 'nobody' }) })).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it('passes over rows by offset, and keeps to declared filters', () => {
    expect(names(pageOf({ offset: 3 }))).toEqual(['south', 'Äußeres']);
    expect(names(pageOf({ offset: 99 }))).toEqual([]);
    expect(names(pageOf({ gate_state: 'shut' }))).toEqual(['west']);
    expect(names(pageOf({ gate_name: 'ST' }))).toEqual(['west', 'East']);
    expect(names(pageOf({ gate_height: [5, 6] }))).toEqual(['north', 'south']);
    expect(names(pageOf({ gate_height: [6] }))).toEqual(['Äußeres']);
    expect(names(pageOf({ gate_visits: 90 }))).toEqual(NAMES);
  });

  it('ends a page of large rows where they take two megabytes, and goes on behind it', () => {
    const large = Array.from({ length: 5 }, (_, n) => Object.assign(gate(`g${n}`, n), { note: 'x'.repeat(768 * 1024) }));
    const lengths: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: ReturnType<typeof pageOf> = pageOf(cursor ? { cursor } : {}, large);
      lengths.push(page.data.length);
      cursor = page.next_cursor;
    }
    expect(lengths).toEqual([2, 2, 1]);
  });
});
