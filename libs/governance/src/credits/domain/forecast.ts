import { DAY } from '@atrium/platform/kernel';

/** A full local day of the past: its date, its credits, and whether anything was used at all. */
export interface UsageDay {
  readonly key: string;
  readonly credits: number;
  readonly used: boolean;
}

export interface Forecast {
  readonly daily_mean: number | null;
  readonly daily_trend: number | null;
  readonly credits_needed: number | null;
  readonly runs_out_at: string | null;
}

const UNKNOWN: Forecast = { daily_mean: null, daily_trend: null, credits_needed: null, runs_out_at: null };
const MIN_DAYS = 7;
const WEEK = 7;

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
const toMillionths = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;
const weekdayOf = (key: string): number => new Date(`${key}T00:00:00Z`).getUTCDay();

/**
 * What the coming days will cost if each goes like the days of its name lately did. Days before the first use do not
 * count; with fewer than seven days nothing is foretold. `available` credits run out within the horizon, or it does not say when.
 */
export function forecastUsage(
  past: readonly UsageDay[],
  { now, horizonDays, available }: { readonly now: number; readonly horizonDays: number; readonly available: number | null },
): Forecast {
  const first = past.findIndex(({ used }) => used);
  const days = first < 0 ? [] : past.slice(first);
  const last = days.at(-1);
  if (!last || days.length < MIN_DAYS) return UNKNOWN;
  const byWeekday = Array.from({ length: WEEK }, (_, weekday) =>
    mean(days.filter(({ key }) => weekdayOf(key) === weekday).map(({ credits }) => credits)),
  );
  const coming = Array.from({ length: horizonDays }, (_, i) => Math.max(0, byWeekday[(weekdayOf(last.key) + 1 + i) % WEEK] ?? 0));
  return {
    daily_mean: toMillionths(mean(days.map(({ credits }) => credits))),
    daily_trend: toMillionths(slope(days.map(({ credits }) => credits))),
    credits_needed: toMillionths(coming.reduce((sum, credits) => sum + credits, 0)),
    runs_out_at: available === null ? null : runsOut(coming, available, now),
  };
}

/** How many credits more each day costs than the one before: the slope of the line of least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const average = mean(values);
  const spread = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
  return spread === 0 ? 0 : values.reduce((sum, value, i) => sum + (i - middle) * (value - average), 0) / spread;
}

function runsOut(coming: readonly number[], available: number, now: number): string | null {
  let left = available;
  if (left <= 0) return new Date(now).toISOString();
  for (const [i, credits] of coming.entries()) {
    if (credits >= left && credits > 0) return new Date(now + Math.round((i + left / credits) * DAY)).toISOString();
    left -= credits;
  }
  return null;
}
