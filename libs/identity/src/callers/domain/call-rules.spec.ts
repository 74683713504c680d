import { MINUTE } from '@atrium/platform/kernel';
import { Idleness, refusalByAddress, refusalByMethod } from './call-rules';

describe('where a call comes from', () => {
  it.each([
    ['203.0.113.7', [], [], true],
    ['203.0.113.7', ['203.0.113.0/24'], [], true],
    ['203.0.113.7', ['198.51.100.0/24'], [], false],
    ['203.0.113.7', ['198.51.100.0/24', '203.0.113.7/32'], ['203.0.113.0/28'], true],
    ['203.0.113.99', ['203.0.113.0/24'], ['203.0.113.0/28'], false],
    ['::ffff:203.0.113.7', ['203.0.113.0/24'], [], true],
    ['2001:db8::1', ['203.0.113.0/24', '2001:db8::/32'], [], true],
    ['2001:db8::1', ['0.0.0.0/0'], [], false],
    [undefined, ['0.0.0.0/0', '::/0'], [], false],
    ['nonsense', ['0.0.0.0/0', '::/0'], [], false],
  ])('%s within %j and %j: %s', (address, ofWorkspace, ofKey, allowed) => {
    expect(refusalByAddress({ address }, ofWorkspace, ofKey) === null).toBe(allowed);
  });
});

describe('how a session was made', () => {
  const lenient = { require_mfa: false, password_login: true };

  it.each([
    [lenient, ['pwd'], null],
    [{ ...lenient, require_mfa: true }, ['pwd'], 'second factor'],
    [{ ...lenient, require_mfa: true }, ['pwd', 'otp'], null],
    [{ ...lenient, require_mfa: true }, ['ext'], null],
    [{ ...lenient, password_login: false }, ['pwd', 'otp'], 'identity provider'],
    [{ ...lenient, password_login: false }, ['ext'], null],
  ])('under %j by %j: %s', (rules, methods, reason) => {
    const refusal = refusalByMethod(rules, methods, false);
    expect(refusal === null).toBe(reason === null);
    if (reason) expect(refusal?.detail).toContain(reason);
  });

  it('names the next step: enrol, or use the enrolled factor', () => {
    const demanding = { ...lenient, require_mfa: true };
    expect(refusalByMethod(demanding, ['pwd'], false)?.detail).toContain('POST /me/mfa/totp');
    expect(refusalByMethod(demanding, ['pwd'], true)?.detail).toContain('sign in again');
  });
});

describe('an unused session', () => {
  it('is over after its time and the minute in which uses are not noted; each use puts that off', () => {
    const start = new Date('2026-01-01T00:00:00Z');
    const after = (minutes: number): Date => new Date(start.getTime() + minutes * MINUTE);
    const idle = new Idleness(start, 15);
    expect([idle.isOver(after(15)), idle.isOver(after(16))]).toEqual([false, true]);
    idle.used(after(10));
    expect([idle.isOver(after(24)), idle.isOver(after(25))]).toEqual([false, true]);
    idle.used(after(5));
    expect(idle.isOver(after(24))).toBe(false);
  });
});
