import { shapeOf } from './shape';

describe('shapeOf', () => {
  it('keeps names, types and lengths, and no value', () => {
    expect(shapeOf({ text: 'h\u00e9llo', count: 3, active: true, nothing: null, list: ['ab', { deep: 'secret' }] })).toEqual({
      text: '[string 5]',
      count: '[number]',
      active: '[boolean]',
      nothing: null,
      list: ['[string 2]', { deep: '[string 6]' }],
    });
  });

  it('is small however large the value is', () => {
    expect(shapeOf(Array.from({ length: 1_000 }, () => 'x'))).toEqual([...Array.from({ length: 20 }, () => '[string 1]'), '[980 more]']);
    const wide = shapeOf(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])));
    expect(Object.keys(wide as object)).toHaveLength(51);
    expect(wide).toMatchObject({ _more: 950 });
    expect(JSON.stringify(shapeOf(JSON.parse('['.repeat(50) + ']'.repeat(50))))).toContain('[deep]');
  });

  it('keeps no secret that is part of a name', () => {
    expect(JSON.stringify(shapeOf({ atk_0123456789_abcdef: 1 }))).not.toContain('atk_');
  });
});
