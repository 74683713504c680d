import { isId, newId, TimeOrderedIds } from './ids';

describe('newId', () => {
  it('is a UUID of version 7 in lower case', () => {
    for (let i = 0; i < 1_000; i++) expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('contains the time of its creation', () => {
    const before = Date.now();
    const made = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(made).toBeGreaterThanOrEqual(before - 1);
    expect(made).toBeLessThanOrEqual(Date.now() + 100);
  });

  it('never comes twice, and sorts in the order it was made, however many are made in a millisecond', () => {
    const ids = Array.from({ length: 100_000 }, () => newId());
    expect(new Set(ids).size).toBe(ids.length);
    const firstOutOfOrder = ids.findIndex((id, i) => i > 0 && id <= (ids[i - 1] ?? ''));
    expect(firstOutOfOrder).toBe(-1);
  });

  it('keeps its order when the clock is set back', () => {
    const now = jest.spyOn(Date, 'now');
    try {
      const earlier = newId();
      now.mockReturnValue(Date.UTC(2001, 0, 1));
      const later = newId();
      expect(later > earlier).toBe(true);
    } finally {
      now.mockRestore();
    }
  });

  it('is what a service gets from Ids', () => {
    expect(isId(new TimeOrderedIds().next())).toBe(true);
  });
});

describe('isId', () => {
  it.each(['0190b2f4-0000-7000-8000-000000000000', '0190B2F4-0000-7000-8000-00000000000F', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'])(
    'accepts %s',
    (id) => expect(isId(id)).toBe(true),
  );

  it.each([
    '',
    '0190b2f4',
    '{0190b2f4-0000-7000-8000-000000000000}',
    '0190b2f400007000800000000000000',
    ' 0190b2f4-0000-7000-8000-000000000000',
    '0190b2f4-0000-7000-8000-000000000000\n',
    '0190b2f4-0000-7000-8000-00000000000g',
    null,
    7,
    {},
  ])('refuses %j', (value) => expect(isId(value)).toBe(false));
});
