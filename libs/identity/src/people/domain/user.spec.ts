import { DAY, MINUTE, SystemClock } from '@atrium/platform/kernel';
import { assertMaySendAgain, maskedEmail } from './invitation';
import { mergedPreferences, User, USER_STATUSES, type UserStatus } from './user';

const clock = new SystemClock();
const user = (user_status: UserStatus): User => Object.assign(new User(), { user_kind: 'person', user_status });
const allowed = (act: (user: User) => void): UserStatus[] =>
  USER_STATUSES.filter((status) => {
    try {
      act(user(status));
      return true;
    } catch {
      return false;
    }
  });

describe('a user', () => {
  it('moves between its states as the table says', () => {
    expect(allowed((one) => one.join())).toEqual(['invited']);
    expect(allowed((one) => one.suspend())).toEqual(['active']);
    expect(allowed((one) => one.reactivate())).toEqual(['suspended']);
    expect(allowed((one) => one.remove())).toEqual(['invited', 'active', 'suspended']);
    expect(allowed((one) => one.invite(null, clock.now(), clock))).toEqual(['invited', 'removed']);
  });

  it('takes a seat while it is a person who is active or invited', () => {
    expect(USER_STATUSES.filter((status) => user(status).takesSeat)).toEqual(['invited', 'active']);
    expect(Object.assign(user('active'), { user_kind: 'service' }).takesSeat).toBe(false);
  });

  it('is not edited once it was removed, nor when an extension owns it', () => {
    expect(allowed((one) => one.assertEditable())).toEqual(['invited', 'active', 'suspended']);
    expect(() => Object.assign(user('active'), { user_kind: 'extension' }).assertEditable()).toThrow('where the extension is installed');
  });

  it('merges preferences member by member', () => {
    expect(mergedPreferences({ theme: 'dark', list: { open: true } }, { theme: null, list: { wide: true }, size: 2 })).toEqual({
      list: { wide: true },
      size: 2,
    });
  });
});

describe('an invitation', () => {
  const now = new Date('2026-05-04T12:00:00Z');
  const ago = (ms: number): Date => new Date(now.getTime() - ms);

  it('is sent again once a minute and ten times a day', () => {
    expect(() => assertMaySendAgain([], now)).not.toThrow();
    expect(() => assertMaySendAgain([ago(MINUTE)], now)).not.toThrow();
    expect(() => assertMaySendAgain([ago(MINUTE - 1_000)], now)).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '1' } }),
    );
    const ten = Array.from({ length: 10 }, (_, i) => ago((i + 2) * MINUTE));
    expect(() => assertMaySendAgain(ten.slice(1), now)).not.toThrow();
    expect(() => assertMaySendAgain(ten, now)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(() =>
      assertMaySendAgain(
        ten.map((at) => new Date(at.getTime() - DAY)),
        now,
      ),
    ).not.toThrow();
  });

  it('shows of an address its first letter and its domain', () => {
    expect(maskedEmail('ada.lindgren@example.com')).toBe('a***@example.com');
    expect(maskedEmail('a@example.com')).toBe('a***@example.com');
  });
});
