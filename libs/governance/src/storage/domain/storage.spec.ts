import { dailyGrowth, daysLeft, NO_QUOTA, negatedLine } from './storage';

const DAY = 86_400_000;

describe('the growth of storage', () => {
  it('is the mean of the days between two sums, and unknown within the first day', () => {
    expect(dailyGrowth({ at: 0, bytes: 100 }, { at: 10 * DAY, bytes: 1_100 })).toBe(100);
    expect(dailyGrowth({ at: 0, bytes: 500 }, { at: 2 * DAY, bytes: 100 })).toBe(-200);
    expect(dailyGrowth({ at: 0, bytes: 1 }, { at: DAY - 1, bytes: 9 })).toBeNull();
    expect(dailyGrowth(undefined, { at: DAY, bytes: 9 })).toBeNull();
  });

  it('forecasts how long a quota lasts, where there is one and it shrinks', () => {
    const quota = { ...NO_QUOTA, quota_bytes: 1_000, quota_used: 300, quota_reserved: 100 };
    expect(daysLeft(quota, 250)).toBe(2);
    expect(daysLeft({ ...quota, quota_used: 2_000 }, 1)).toBe(0);
    expect([daysLeft(quota, 0), daysLeft(quota, -5), daysLeft(quota, null), daysLeft(NO_QUOTA, 5)]).toEqual([null, null, null, null]);
  });
});

describe('a line of storage', () => {
  it('is taken away with the opposite sign', () => {
    const line = { provider: 'p', class: 'original', repo_type: 'media', family: 'image', user: null, bytes: 7, objects: 1 } as const;
    expect(negatedLine(line)).toEqual({ ...line, bytes: -7, objects: -1 });
  });
});
