import { FONT_CATEGORIES, WEB_FONTS } from './web-fonts';

describe('the catalog of web fonts', () => {
  it('has every family once, in the order of the names, with a category that there is', () => {
    const families = WEB_FONTS.map(({ family }) => family);
    expect(families.length).toBeGreaterThan(1_500);
    expect(new Set(families).size).toBe(families.length);
    expect([...families].sort()).toEqual(families);
    expect(WEB_FONTS.every(({ category }) => FONT_CATEGORIES.includes(category))).toBe(true);
  });

  it('knows families of each category', () => {
    for (const [family, category] of [
      ['JetBrains Mono', 'monospace'],
      ['Open Sans', 'sans-serif'],
      ['Merriweather', 'serif'],
      ['Lobster', 'display'],
      ['Caveat', 'handwriting'],
    ])
      expect(WEB_FONTS).toContainEqual({ family, category });
  });
});
