import { nextSnapshot } from './snapshot-steps';

const PUBLISHED = new Date('2026-01-01T00:00:00Z');

it('numbers are read after 1 h, 6 h, 24 h, 3 d, 7 d and 30 d, and not again', () => {
  const times = [0, 1, 2, 3, 4, 5, 6].map((taken) => nextSnapshot(PUBLISHED, taken, PUBLISHED)?.toISOString() ?? null);
  expect(times).toEqual([
    '2026-01-01T01:00:00.000Z',
    '2026-01-01T06:00:00.000Z',
    '2026-01-02T00:00:00.000Z',
    '2026-01-04T00:00:00.000Z',
    '2026-01-08T00:00:00.000Z',
    '2026-01-31T00:00:00.000Z',
    null,
  ]);
});

it('what was missed is read at once', () => {
  const now = new Date('2026-02-01T00:00:00Z');
  expect(nextSnapshot(PUBLISHED, 1, now)).toEqual(now);
});
