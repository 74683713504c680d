import { Keyring } from '@atrium/platform/config';
import { Clock } from '@atrium/platform/kernel';
import { URI, type TOTP } from 'otpauth';
import { OneTimeCodes } from './one-time-codes';

class StandingClock extends Clock {
  constructor(private time: number) {
    super();
  }

  now(): Date {
    return new Date(this.time);
  }

  pass(seconds: number): void {
    this.time += seconds * 1_000;
  }
}

describe('one-time codes', () => {
  const clock = new StandingClock(Date.UTC(2026, 0, 1));
  const codes = new OneTimeCodes(new Keyring(Buffer.alloc(32, 7).toString('base64')), clock);
  const { sealed, secret, otpauth_uri } = codes.newSecret('ada@example.com');
  const authenticator = URI.parse(otpauth_uri) as TOTP;

  it('come from any authenticator that reads the address', () => {
    expect(authenticator).toMatchObject({ issuer: 'Atrium', label: 'ada@example.com', algorithm: 'SHA1', digits: 6, period: 30 });
    expect(authenticator.secret.base32).toBe(secret);
    expect(secret).toHaveLength(32);
    expect(sealed).not.toContain(secret);
  });

  it('belong to the present step, the one before or the one after', () => {
    const present = clock.now().getTime() / 30_000;
    const steps = [-2, -1, 0, 1, 2].map(
      (away) => codes.matchCode(authenticator.generate({ timestamp: clock.now().getTime() + away * 30_000 }), sealed).step,
    );
    expect(steps).toEqual([null, present - 1, present, present + 1, null]);
    const code = authenticator.generate({ timestamp: clock.now().getTime() });
    clock.pass(59);
    expect(codes.matchCode(`${code.slice(0, 3)} ${code.slice(3)}`, sealed).step).toBe(present);
    clock.pass(1);
    expect(codes.matchCode(code, sealed).step).toBeNull();
  });

  it('for recovery are ten different ones, known again in any spelling', () => {
    const made = codes.newRecoveryCodes();
    expect(new Set(made.codes).size).toBe(10);
    for (const [at, code] of made.codes.entries()) {
      expect(code).toMatch(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/);
      expect(made.hashes).not.toContain(code);
      for (const spelling of [code, code.toLowerCase(), code.replace('-', ' ')])
        expect(codes.matchCode(spelling, sealed)).toEqual({ step: null, recovery: made.hashes[at] });
    }
  });
});
