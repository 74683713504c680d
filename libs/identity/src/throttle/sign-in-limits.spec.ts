import { HOUR, MINUTE } from '@atrium/platform/kernel';
import { pauseMs } from './sign-in-limits';

describe('the pause after too many failures', () => {
  it('is a quarter of an hour, doubles each time and ends at an hour', () => {
    expect([1, 2, 3, 4].map(pauseMs)).toEqual([15, 30, 60, 60].map((minutes) => minutes * MINUTE));
    expect(pauseMs(5_000)).toBe(HOUR);
  });
});
