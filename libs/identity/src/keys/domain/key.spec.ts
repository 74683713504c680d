import { Clock, SECOND } from '@atrium/platform/kernel';
import { mintKey } from './api-key';
import { ApiKey } from './key';

class SetClock extends Clock {
  time = new Date('2030-01-01T00:00:00Z');

  now(): Date {
    return this.time;
  }

  pass(seconds: number): void {
    this.time = this.after(seconds * SECOND);
  }
}

const key = (facts: Partial<ApiKey> = {}): ApiKey =>
  Object.assign(new ApiKey(), {
    key_hash: 'first',
    key_prev_hash: null,
    key_prev_expires_at: null,
    key_rotated_at: null,
    key_expires_at: null,
    key_revoked_at: null,
    ...facts,
  });

describe('an API key', () => {
  it('is active until it expires or is revoked', () => {
    const clock = new SetClock();
    const ending = key({ key_expires_at: clock.after(10 * SECOND) });
    expect(ending.statusAt(clock.now())).toBe('active');
    clock.pass(10);
    expect(ending.statusAt(clock.now())).toBe('expired');
    expect(() => ending.assertActive(clock)).toThrow('expired');
    expect(ending.revoke('user', 'u', clock)).toBe(true);
    expect(ending.statusAt(clock.now())).toBe('revoked');
    expect(ending.revoke('leaked', null, clock)).toBe(false);
    expect(ending).toMatchObject({ key_revoke_reason: 'user', key_revoked_by: 'u' });
  });

  it('keeps its former secret for the overlap, and is not rotated again in the meantime', () => {
    const clock = new SetClock();
    const rotating = key();
    clock.pass(1);
    rotating.rotate({ ...mintKey(), hash: 'second' }, 5, clock.now(), clock);
    expect(rotating).toMatchObject({ key_hash: 'second', key_prev_hash: 'first', key_prev_expires_at: clock.after(5 * SECOND) });
    clock.pass(4);
    expect(() => rotating.rotate(mintKey(), 0, clock.now(), clock)).toThrow('still valid');
    clock.pass(1);
    rotating.rotate({ ...mintKey(), hash: 'third' }, 0, clock.now(), clock);
    expect(rotating).toMatchObject({ key_hash: 'third', key_prev_hash: null, key_prev_expires_at: null });
  });

  it('is rotated once by two who ask at once', () => {
    const clock = new SetClock();
    const rotating = key();
    const asked = clock.now();
    clock.pass(0.1);
    rotating.rotate(mintKey(), 0, asked, clock);
    expect(() => rotating.rotate(mintKey(), 0, asked, clock)).toThrow('Another request');
    clock.pass(1);
    expect(() => rotating.rotate(mintKey(), 0, clock.now(), clock)).not.toThrow();
  });

  it('takes its former secret along when it is revoked', () => {
    const clock = new SetClock();
    const rotated = key();
    rotated.rotate(mintKey(), 60, clock.now(), clock);
    rotated.revoke('leaked', null, clock);
    expect(rotated).toMatchObject({ key_prev_hash: null, key_prev_expires_at: null, key_revoke_reason: 'leaked' });
    expect(() => rotated.rotate(mintKey(), 0, clock.now(), clock)).toThrow('revoked');
  });

  it('keeps its public id through a rotation', () => {
    const minted = mintKey('0a1B2c3D4e5F');
    expect(minted.value).toMatch(/^atk_0a1B2c3D4e5F_[0-9A-Za-z]{49}$/);
  });
});
