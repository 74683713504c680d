import { DAY, HOUR } from '@atrium/platform/kernel';

/** Ages of a post at which its numbers are read. */
const AGES_MS = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY] as const;

/** When the numbers after so many snapshots are read; null when that was the last time. */
export function nextSnapshot(published: Date, taken: number, now: Date): Date | null {
  const age = AGES_MS[taken];
  if (age === undefined) return null;
  return new Date(Math.max(published.getTime() + age, now.getTime()));
}
