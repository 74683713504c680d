import { DAY, HOUR, MINUTE } from '@atrium/platform/kernel';
import { cutEdges, cutSteps, QUARTER_HOUR, type Span } from './usage-spans';

const NOON = Date.UTC(2026, 2, 4, 12);
const at = (hours: number, minutes = 0): number => Date.UTC(2026, 2, 4, hours, minutes);

describe('the edges of a range', () => {
  it('are nothing where both bounds are on a quarter of an hour', () => {
    expect(cutEdges({ from: at(10, 15), until: at(16, 45) }, 0)).toEqual({
      whole: { from: at(10, 15), until: at(16, 45) },
      edges: [],
      widened: false,
    });
  });

  it('are read from the entries up to the next quarter of an hour', () => {
    expect(cutEdges({ from: at(10, 7), until: at(16, 52) }, 0)).toEqual({
      whole: { from: at(10, 15), until: at(16, 45) },
      edges: [
        { from: at(10, 7), until: at(10, 15) },
        { from: at(16, 45), until: at(16, 52) },
      ],
      widened: false,
    });
  });

  it('are the whole range where it is within one quarter of an hour', () => {
    const { whole, edges } = cutEdges({ from: at(10, 1), until: at(10, 9) }, 0);
    expect(whole.from).toBe(whole.until);
    expect(edges).toEqual([{ from: at(10, 1), until: at(10, 9) }]);
  });

  it('meet where the range covers one quarter of an hour boundary and no whole one', () => {
    const { whole, edges } = cutEdges({ from: at(10, 10), until: at(10, 20) }, 0);
    expect(whole.from).toBe(whole.until);
    expect(edges).toEqual([
      { from: at(10, 10), until: at(10, 15) },
      { from: at(10, 15), until: at(10, 20) },
    ]);
  });

  it('are widened to the quarter of an hour where the entries are gone', () => {
    expect(cutEdges({ from: at(10, 7), until: at(16, 52) }, at(12))).toEqual({
      whole: { from: at(10), until: at(16, 45) },
      edges: [{ from: at(16, 45), until: at(16, 52) }],
      widened: true,
    });
    expect(cutEdges({ from: at(10, 7), until: at(11, 52) }, at(12))).toEqual({
      whole: { from: at(10), until: at(12) },
      edges: [],
      widened: true,
    });
    expect(cutEdges({ from: at(10, 1), until: at(10, 9) }, at(12))).toEqual({
      whole: { from: at(10), until: at(10, 15) },
      edges: [],
      widened: true,
    });
    expect(cutEdges({ from: at(10), until: at(11) + 1 }, at(12))).toEqual({
      whole: { from: at(10), until: at(11) },
      edges: [],
      widened: true,
    });
  });
});

describe('a range by steps', () => {
  const midnight = NOON - 12 * HOUR;

  it('is the full UTC days inside of each period; neighbours are one', () => {
    const range = { from: midnight, until: midnight + 3 * DAY };
    expect(cutSteps(range, [midnight, midnight + DAY, midnight + 2 * DAY], [DAY, HOUR])).toEqual([[range], [], []]);
  });

  it('is hours, and quarters of an hour about each bound, where a period holds no full UTC day', () => {
    const start = midnight - (5 * HOUR + 45 * MINUTE);
    const range = { from: start, until: start + 2 * DAY };
    expect(cutSteps(range, [start, start + DAY], [DAY])).toEqual([[], [range]]);
    expect(cutSteps(range, [start, start + DAY], [DAY, HOUR])).toEqual([
      [],
      [
        { from: start + 45 * MINUTE, until: start + DAY - 15 * MINUTE },
        { from: start + DAY + 45 * MINUTE, until: start + 2 * DAY - 15 * MINUTE },
      ],
      [
        { from: start, until: start + 45 * MINUTE },
        { from: start + DAY - 15 * MINUTE, until: start + DAY + 45 * MINUTE },
        { from: start + 2 * DAY - 15 * MINUTE, until: start + 2 * DAY },
      ],
    ]);
  });

  it('covers every moment once, whatever the periods', () => {
    const start = NOON - 7 * QUARTER_HOUR;
    const starts = [start, start + 3 * DAY + QUARTER_HOUR, start + 9 * DAY - HOUR];
    const range = { from: start + QUARTER_HOUR, until: start + 20 * DAY };
    const levels = cutSteps(range, starts, [DAY, HOUR]);
    const all = levels.flat().sort((a, b) => a.from - b.from);
    expect(all[0]?.from).toBe(range.from);
    expect(all.at(-1)?.until).toBe(range.until);
    for (let i = 1; i < all.length; i++) expect(all[i]?.from).toBe(all[i - 1]?.until);
    [DAY, HOUR, QUARTER_HOUR].forEach((step, i) => {
      const across = (span: Span): boolean =>
        span.from % step !== 0 ||
        span.until % step !== 0 ||
        (step !== QUARTER_HOUR && starts.some((cut) => span.from < cut && cut < span.until && cut % step !== 0));
      expect(levels[i]?.filter(across)).toEqual([]);
    });
  });
});
