import { DAY } from '@atrium/platform/kernel';
import { chooseDays, daysInForce, RETENTION, RETENTION_KEYS, type ChosenDays } from './retention';

const now = new Date('2026-03-01T10:00:00Z');
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
const chosen = (ret_days: number): ChosenDays => ({ ret_days, ret_days_before: null, ret_effective_at: null });

describe('days that are chosen', () => {
  it('count at once when they are more', () => {
    expect(chooseDays(chosen(30), 60, now)).toEqual(chosen(60));
    expect(chooseDays(chosen(30), 30, now)).toEqual(chosen(30));
  });

  it('count a day later when they are fewer', () => {
    const shorter = chooseDays(chosen(365), 30, now);
    expect(shorter).toEqual({ ret_days: 30, ret_days_before: 365, ret_effective_at: later(DAY) });
    expect(daysInForce(shorter, later(DAY - 1))).toBe(365);
    expect(daysInForce(shorter, later(DAY))).toBe(30);
  });

  it('can be taken back until then, and softened without waiting again', () => {
    const shorter = chooseDays(chosen(365), 30, now);
    expect(chooseDays(shorter, 365, later(1_000))).toEqual(chosen(365));
    expect(chooseDays(shorter, 400, later(1_000))).toEqual(chosen(400));
    expect(chooseDays(shorter, 30, later(1_000))).toEqual(shorter);
    expect(chooseDays(shorter, 60, later(1_000))).toEqual({ ret_days: 60, ret_days_before: 365, ret_effective_at: later(DAY) });
    expect(chooseDays(shorter, 20, later(1_000))).toEqual({ ret_days: 20, ret_days_before: 365, ret_effective_at: later(DAY + 1_000) });
  });

  it('count from those in force once a shortening is over', () => {
    const shorter = chooseDays(chosen(365), 30, now);
    expect(chooseDays(shorter, 60, later(DAY))).toEqual(chosen(60));
    expect(chooseDays(shorter, 29, later(DAY))).toEqual({ ret_days: 29, ret_days_before: 30, ret_effective_at: later(2 * DAY) });
  });
});

describe('the list of what is kept', () => {
  it('bounds every default', () => {
    for (const key of RETENTION_KEYS) {
      const { min, max, default: standard } = RETENTION[key];
      expect({ key, within: min <= standard && standard <= max && min > 0 }).toEqual({ key, within: true });
    }
  });
});
