import { auditedValues, MAX_SIDE } from './audited-values';

describe('one side of an audited change', () => {
  it('stays as it was recorded, settings whose names sound secret included', () => {
    const side = { password_login: false, permissions: ['a', 'b'], limits: { max: 3 }, until: null };
    expect(auditedValues(side)).toEqual(side);
  });

  it('loses what looks like one of our secrets, at any depth', () => {
    expect(
      JSON.stringify(auditedValues({ note: 'key atk_0123456789_abcdef', deep: [{ url: 'https://user:pw@example.com/' }] })),
    ).not.toMatch(/atk_|user:pw/);
  });

  it('keeps only the size of the largest fields, until it is small enough', () => {
    const kept = auditedValues({ role_name: 'Editor', large: 'x'.repeat(20_000), small: 'y'.repeat(1_000) });
    expect(kept).toEqual({ role_name: 'Editor', large: { _truncated: true, _bytes: 20_002 }, small: 'y'.repeat(1_000) });
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`field_${i}`, i]));
    expect(Buffer.byteLength(JSON.stringify(auditedValues(many)))).toBeLessThan(MAX_SIDE);
  });
});

describe('what of a large change is searched for secrets', () => {
  it('is what is kept alone', () => {
    const replace = jest.spyOn(String.prototype, 'replace');
    const side = auditedValues({ large: 'eyJ-@'.repeat(10_000), small: 'atk_0123456789_abcdef' });
    const longest = Math.max(...replace.mock.contexts.map((text) => String(text).length));
    replace.mockRestore();
    expect(side).toEqual({ large: { _truncated: true, _bytes: 50_002 }, small: '[redacted]' });
    expect(longest).toBeLessThanOrEqual(MAX_SIDE);
  });

  it('is cut field by field, the largest first, until it fits', () => {
    const side = auditedValues({ a: 'a'.repeat(9_000), b: 'b'.repeat(8_000), c: 'c' });
    expect(side).toEqual({ a: { _truncated: true, _bytes: 9_002 }, b: 'b'.repeat(8_000), c: 'c' });
    const exact = { a: 'a'.repeat(MAX_SIDE - 8) };
    expect(auditedValues(exact)).toEqual(exact);
    expect(auditedValues({ a: 'a'.repeat(MAX_SIDE - 7) })).toEqual({ a: { _truncated: true, _bytes: MAX_SIDE - 5 } });
  });
});
