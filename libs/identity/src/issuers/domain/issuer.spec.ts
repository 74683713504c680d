import { Clock } from '@atrium/platform/kernel';
import { Issuer, type IssuerFacts } from './issuer';
import { claimedIssuer } from './issuer-verifier';

class FixedClock extends Clock {
  now(): Date {
    return new Date('2026-03-01T12:00:00Z');
  }
}

const clock = new FixedClock();
const FACTS: IssuerFacts = {
  iss_name: 'Staff',
  iss_issuer: 'https://login.example.com',
  iss_audiences: ['atrium'],
  iss_domains: ['Example.com'],
};
const issuer = (more: IssuerFacts = {}) => {
  const one = Issuer.blank({ iss_id: '0190163d-8694-739b-aea5-966c26f8ad91' }, clock.now());
  one.take({ ...FACTS, ...more }, ['*'], clock);
  return one;
};

describe('an issuer', () => {
  it('speaks for the domains it was given, and for no part or parent of them', () => {
    const one = issuer();
    expect(
      ['a@example.com', 'a@sub.example.com', 'a@com', 'a@notexample.com', 'a@x@example.com'].map((email) => one.speaksFor(email)),
    ).toEqual([true, false, false, false, true]);
  });

  it('needs domains unless it lets in only whom it knows', () => {
    expect(() => issuer({ iss_domains: [] })).toThrow('iss_domains');
    expect(issuer({ iss_domains: [], iss_provision: 'none' }).iss_domains).toEqual([]);
  });

  it('is the responsibility of the member who last changed whom it can vouch for', () => {
    const one = issuer();
    expect(one.take({ iss_name: 'Other', iss_active: false, iss_domains: ['example.com'] }, ['media:view'], clock)).toBe(false);
    expect(one.iss_trusted).toEqual(['*']);
    expect(one.take({ iss_jwks_url: 'https://keys.example.com' }, ['media:view'], clock)).toBe(true);
    expect(one.iss_trusted).toEqual(['media:view']);
  });

  it('pins algorithms of public keys only', () => {
    for (const name of ['none', 'HS256', 'RS1', 'rs256'])
      expect(() => issuer({ iss_algorithms: ['RS256', name] })).toThrow('iss_algorithms[1]');
    expect(issuer({ iss_algorithms: ['ES256', 'EdDSA', 'ES256'] }).iss_algorithms).toEqual(['ES256', 'EdDSA']);
  });

  it('maps values to roles, each once', () => {
    const [a, b] = ['0190163d-8694-739b-aea5-000000000001', '0190163d-8694-739b-aea5-000000000002'] as const;
    const one = issuer({
      iss_role_map: [
        { value: 'x', role_id: a.toUpperCase() },
        { value: 'x', role_id: a },
        { value: 'y', role_id: a },
        { value: 'z', role_id: b },
      ],
    });
    expect(one.iss_role_map).toHaveLength(3);
    expect(one.mapped(['x', 'y', 'other'])).toEqual({ given: [a], named: [a, b] });
  });

  it('keeps the standard claims where none or null is named', () => {
    const one = issuer({ iss_claims: { email: 'upn', roles: 'realm_access.roles' } });
    one.take({ iss_claims: { email: null } }, [], clock);
    expect(one.iss_claims).toEqual({ subject: 'sub', email: 'email', name: 'name', roles: 'realm_access.roles' });
  });
});

describe('which issuer a token claims', () => {
  const token = (payload: unknown) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`;

  it('is read without believing it, and never from what cannot be one', () => {
    expect(claimedIssuer(token({ iss: 'https://login.example.com' }))).toBe('https://login.example.com');
    for (const text of [
      '',
      'x',
      'a.b.c',
      token(null),
      token([]),
      token({ iss: 7 }),
      token({ iss: 'a\u0000' }),
      token({ iss: 'x'.repeat(600) }),
      token({ iss: 'https://a.example', filler: 'x'.repeat(17_000) }),
    ])
      expect(claimedIssuer(text)).toBeNull();
  });
});
