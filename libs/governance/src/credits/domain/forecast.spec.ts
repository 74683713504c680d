import { DAY } from '@atrium/platform/kernel';
import { forecastUsage, type UsageDay } from './forecast';

/** Days that end with Saturday, 28 February 2026. */
const days = (credits: readonly number[]): UsageDay[] =>
  credits.map((value, i) => ({
    key: new Date(Date.UTC(2026, 1, 28) - (credits.length - 1 - i) * DAY).toISOString().slice(0, 10),
    credits: value,
    used: value > 0,
  }));
const now = Date.UTC(2026, 2, 1, 9);

describe('the forecast', () => {
  it('knows nothing of fewer than seven days', () => {
    const unknown = { daily_mean: null, daily_trend: null, credits_needed: null, runs_out_at: null };
    expect(forecastUsage(days([]), { now, horizonDays: 30, available: 5 })).toEqual(unknown);
    expect(forecastUsage(days([0, 0, ...Array<number>(6).fill(3)]), { now, horizonDays: 30, available: 5 })).toEqual(unknown);
    expect(forecastUsage(days([0, 0, ...Array<number>(7).fill(3)]), { now, horizonDays: 30, available: null })).toMatchObject({
      daily_mean: 3,
      credits_needed: 90,
    });
  });

  it('gives each coming day the mean of the days of its name', () => {
    // Four weeks, Sunday to Saturday: work on Mondays and Tuesdays alone.
    const weeks = [8, 12, 8, 12].flatMap((monday) => [0, monday, 2, 0, 0, 0, 0]);
    const answer = forecastUsage(days(weeks), { now, horizonDays: 3, available: null });
    // The first Sunday is before the first use.
    expect(answer.credits_needed).toBe(12);
    expect(answer.daily_mean).toBeCloseTo(48 / 27, 6);
  });

  it('forecasts when the available credits are used up, within the horizon', () => {
    const past = days(Array<number>(28).fill(10));
    expect(forecastUsage(past, { now, horizonDays: 30, available: 25 }).runs_out_at).toBe(new Date(now + 2.5 * DAY).toISOString());
    expect(forecastUsage(past, { now, horizonDays: 2, available: 25 }).runs_out_at).toBeNull();
    expect(forecastUsage(past, { now, horizonDays: 2, available: -1 }).runs_out_at).toBe(new Date(now).toISOString());
  });

  it('shows by how much a day costs more than the one before', () => {
    expect(
      forecastUsage(days(Array.from({ length: 28 }, (_, i) => 100 + 2 * i)), { now, horizonDays: 1, available: null }).daily_trend,
    ).toBe(2);
    expect(forecastUsage(days(Array<number>(28).fill(10)), { now, horizonDays: 1, available: null }).daily_trend).toBe(0);
  });
});
