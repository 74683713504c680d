import { assertCurrent, versionOf } from './precondition';

describe('the version of what has no row of its own', () => {
  it('is the same for equal values, and another for others', () => {
    expect(versionOf(20, null, ['a', 'b'])).toBe(versionOf(20, null, ['a', 'b']));
    expect(
      new Set([
        versionOf(20),
        versionOf(21),
        versionOf('20'),
        versionOf(null),
        versionOf(['a', 'b']),
        versionOf(['b', 'a']),
        versionOf('a', 'b'),
      ]).size,
    ).toBe(7);
  });

  it('is a whole number that an ETag can carry', () => {
    for (let value = 0; value < 1_000; value += 1) expect(String(versionOf(value))).toMatch(/^\d{1,15}$/);
  });
});

describe('a change under a condition', () => {
  it('is made without one, under any, and under the present version among others', () => {
    for (const condition of [undefined, { versions: 'any' as const }, { versions: [6, 7] }])
      expect(() => assertCurrent(condition, 7, 'album')).not.toThrow();
  });

  it('is refused under another version', () => {
    expect(() => assertCurrent({ versions: [6, 8] }, 7, 'album')).toThrow(
      expect.objectContaining({ code: 'precondition_failed', message: 'The album has changed since you read it. Read it again.' }),
    );
  });
});
