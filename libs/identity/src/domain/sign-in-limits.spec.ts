import { DAY, MINUTE } from '@atrium/platform/kernel';
import { pauseMs } from './sign-in-limits';

describe('the pause after too many failures', () => {
  it('is a quarter of an hour, doubles each time and ends at a day', () => {
    expect([1, 2, 3, 4].map(pauseMs)).toEqual([15, 30, 60, 120].map((minutes) => minutes * MINUTE));
    expect(pauseMs(50)).toBe(DAY);
    expect(pauseMs(5_000)).toBe(DAY);
  });
});
