import { inRanges, normalRange } from '../../shared/domain/address-ranges';
import { changedRules, DEFAULT_RULES, normalDomain } from './security-rules';

describe('an address range', () => {
  it('is CIDR, or a single address as a range of one', () => {
    expect(['203.0.113.0/24', '203.0.113.7', '2001:DB8::/32', '::1'].map(normalRange)).toEqual([
      '203.0.113.0/24',
      '203.0.113.7/32',
      '2001:db8::/32',
      '::1/128',
    ]);
    for (const text of ['', 'localhost', '203.0.113.0/33', '300.0.0.1', '203.0.113', '10', '203.0.113.0/24, 10.0.0.0/8', 'fe80::1%eth0/64'])
      expect([text, normalRange(text)]).toEqual([text, null]);
  });

  it('holds an address of its own kind; IPv4 in an IPv6 coat is IPv4', () => {
    expect(inRanges('203.0.113.9', ['10.0.0.0/8', '203.0.113.0/24'])).toBe(true);
    expect(inRanges('::ffff:203.0.113.9', ['203.0.113.0/24'])).toBe(true);
    expect(inRanges('203.0.114.9', ['203.0.113.0/24', '2001:db8::/32'])).toBe(false);
    expect(inRanges('2001:db8::1', ['2001:db8::/32'])).toBe(true);
    for (const unknown of [undefined, '', 'localhost']) expect(inRanges(unknown, ['0.0.0.0/0'])).toBe(false);
  });
});

describe('rules of a workspace', () => {
  it('change member by member; null goes back to the default, what is absent stays', () => {
    const present = { ...DEFAULT_RULES, session_max_days: 7, personal_keys: false };
    expect(changedRules(present, { personal_keys: null, key_max_days: 90, require_mfa: undefined })).toEqual({
      ...DEFAULT_RULES,
      session_max_days: 7,
      key_max_days: 90,
    });
  });

  it('hold ranges and domains once and in their normal form', () => {
    const rules = changedRules(
      {},
      { ip_allow: ['10.0.0.1', '10.0.0.1/32'], allowed_email_domains: ['Bücher.example', '@xn--bcher-kva.example'] },
    );
    expect(rules).toEqual({ ...DEFAULT_RULES, ip_allow: ['10.0.0.1/32'], allowed_email_domains: ['xn--bcher-kva.example'] });
  });

  it('name everything that is no range or domain', () => {
    expect(() => changedRules({}, { ip_allow: ['x', '10.0.0.0/8', 'y'], allowed_email_domains: ['z'] })).toThrow(
      expect.objectContaining({
        errors: ['ws_security.ip_allow[0]', 'ws_security.ip_allow[2]', 'ws_security.allowed_email_domains[0]'].map(
          (path) => expect.objectContaining({ path }) as unknown,
        ),
      }),
    );
    for (const text of ['', 'localhost', '-a.example', 'a..example', 'a.example/x', 'a b.example'])
      expect([text, normalDomain(text)]).toEqual([text, null]);
  });
});
