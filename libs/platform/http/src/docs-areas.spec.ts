import { AREA_GROUPS, isBetaArea } from './docs-areas';

describe('the areas of the reference', () => {
  it('are beta where the product says so, and nowhere else', () => {
    const areas = Object.values(AREA_GROUPS).flatMap((group) => Object.keys(group));
    expect(areas.filter(isBetaArea)).toEqual([
      'Faces',
      'People',
      'Objects',
      'Object schemas',
      'Object taxonomies',
      'Object lifecycle flows',
      'Object sources',
      'Presentations',
      'Presentation templates',
      'Tasks',
      'Extensions',
    ]);
    expect(isBetaArea('Nothing')).toBe(false);
  });
});
