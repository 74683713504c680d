import { nextSlot } from '@atrium/platform/messaging';
import { findFreeSlots, type SlotsWanted, type WeeklySlot } from './free-slots';

const slot = (wish: Partial<WeeklySlot>): WeeklySlot => ({
  sls_id: 's',
  sls_target: null,
  sls_weekday: 1,
  sls_time: '09:00',
  sls_timezone: 'Europe/Berlin',
  ...wish,
});
const MONDAY = slot({});
const WEDNESDAY = slot({ sls_weekday: 3, sls_time: '14:00' });
const find = (slots: readonly WeeklySlot[], wish: Partial<SlotsWanted> = {}) =>
  findFreeSlots(
    slots,
    { targets: [], after: new Date('2026-03-20T00:00:00Z'), until: new Date('2027-03-20T00:00:00Z'), count: 3, taken: new Map(), ...wish },
    nextSlot,
  ).map(({ at }) => at.toISOString());

describe('free slots', () => {
  it('come in their order and keep local time over a change of the clocks', () => {
    expect(find([WEDNESDAY, MONDAY], { count: 4 })).toEqual([
      '2026-03-23T08:00:00.000Z',
      '2026-03-25T13:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
      '2026-04-01T12:00:00.000Z',
    ]);
  });

  it('leave out minutes in which a post is sent', () => {
    expect(find([MONDAY, WEDNESDAY], { taken: new Map([[Date.parse('2026-03-25T13:00:00Z'), new Set(['a'])]]) })).toEqual([
      '2026-03-23T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
      '2026-04-01T12:00:00.000Z',
    ]);
  });

  it('are those of all targets and of the wanted ones', () => {
    const own = slot({ sls_target: 'a', sls_weekday: 2 });
    expect(find([own, MONDAY], { targets: ['b'], count: 2 })).toEqual(['2026-03-23T08:00:00.000Z', '2026-03-30T07:00:00.000Z']);
    expect(find([own, MONDAY], { targets: ['a'], count: 2 })).toEqual(['2026-03-23T08:00:00.000Z', '2026-03-24T08:00:00.000Z']);
  });

  it('are one where two slots meet, and none behind the end', () => {
    expect(find([MONDAY, slot({ sls_id: 't' })], { until: new Date('2026-03-31T00:00:00Z') })).toEqual([
      '2026-03-23T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
  });

  it('are free for a target while posts are sent to others', () => {
    const [ofA, ofB] = [slot({ sls_id: 'a', sls_target: 'a' }), slot({ sls_id: 'b', sls_target: 'b' })];
    const monday = Date.parse('2026-03-23T08:00:00Z');
    const taken = new Map([[monday, new Set(['b'])]]);
    expect(find([ofA, ofB], { taken, count: 3 })).toEqual([
      '2026-03-23T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
    expect(find([MONDAY], { taken, targets: ['a'], count: 1 })).toEqual(['2026-03-23T08:00:00.000Z']);
    expect(find([MONDAY], { taken, targets: ['a', 'b'], count: 1 })).toEqual(['2026-03-30T07:00:00.000Z']);
  });

  it('are looked for only so long', () => {
    const every = (): Date => new Date('2026-03-23T08:00:00Z');
    const taken = new Map([[every().getTime(), new Set(['a'])]]);
    const wanted = { targets: [], after: every(), until: new Date('2027-03-20T00:00:00Z'), count: 1, taken };
    expect(findFreeSlots([MONDAY], wanted, every)).toEqual([]);
  });

  it('come on Sundays', () => {
    expect(find([slot({ sls_weekday: 7, sls_timezone: 'UTC' })], { count: 1 })).toEqual(['2026-03-22T09:00:00.000Z']);
  });
});
