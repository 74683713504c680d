import { checkCron, nextSlot } from './cron-slots';

const slots = (cron: string, zone: string, after: string, count: number): string[] => {
  const found: string[] = [];
  for (let at = nextSlot(cron, zone, new Date(after)); at && found.length < count; at = nextSlot(cron, zone, at))
    found.push(at.toISOString());
  return found;
};

describe('the next slot of a cron', () => {
  it('is later than the moment it is asked for, by the clocks of the zone', () => {
    expect(slots('30 6 * * *', 'UTC', '2026-11-23T06:30:00Z', 1)).toEqual(['2026-11-24T06:30:00.000Z']);
    expect(slots('30 6 * * *', 'UTC', '2026-11-23T06:29:59.999Z', 1)).toEqual(['2026-11-23T06:30:00.000Z']);
    expect(slots('0 9 * * 1', 'Asia/Tokyo', '2026-11-23T12:00:00Z', 1)).toEqual(['2026-11-30T00:00:00.000Z']);
  });

  it('keeps its hour when the clocks change', () => {
    expect(slots('0 8 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T07:00:00.000Z',
      '2026-03-29T06:00:00.000Z',
      '2026-03-30T06:00:00.000Z',
    ]);
  });

  it('comes once on the day whose clocks jump over it', () => {
    const found = slots('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2);
    expect(found[0]).toMatch(/^2026-03-29T01:[03]0:00/);
    expect(found[1]).toBe('2026-03-30T00:30:00.000Z');
  });

  it('comes once in the hour that the clocks show twice', () => {
    expect(slots('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('comes every hour of the day that has 25 of them', () => {
    const found = slots('0 * * * *', 'Europe/Berlin', '2026-10-24T22:00:00Z', 4);
    expect(found.map((slot, at) => (at === 0 ? 1 : (Date.parse(slot) - Date.parse(found[at - 1] ?? '')) / 3_600_000))).toEqual([
      1, 1, 1, 1,
    ]);
  });
});

describe('a cron that is entered', () => {
  const NOW = new Date('2026-11-23T00:00:00Z');
  const check = (cron: string) => () => checkCron('cron', cron, 'Europe/Berlin', NOW);

  it.each(['0 6 * * 1', '*/15 8-18 * * MON-FRI', '0 0 1,15 * *', '0 0 29 2 *'])('%s is one', (cron) => expect(check(cron)).not.toThrow());

  it.each([
    ['* * * * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['61 * * * *', 'is not a valid cron expression'],
    ['a b c d e', 'is not a valid cron expression'],
    ['0 0 30 2 *', 'never occurs'],
    ['', 'five fields'],
    ['0 '.repeat(150), 'at most'],
  ])('%j is none, with a sentence', (cron, says) => {
    expect(check(cron)).toThrow(
      expect.objectContaining({ code: 'validation_failed', detail: expect.stringContaining(says) as string }) as Error,
    );
  });
});
