import { pictureKeywords } from './picture-keywords';

const of = (embedded: object): object[] => pictureKeywords({ system: { embedded } } as never);

describe('the keywords of a picture', () => {
  it('are each there once, in any case, as far as they can be tags', () => {
    expect(of({ keywords: ['Boats', 'boats ', '', 'x'.repeat(121), 'a\u0007b', 7] })).toEqual([{ word: 'boats', root: null }]);
  });

  it('are one word where they say the same, as it was written last', () => {
    expect(of({ keywords: ['Große Straße', 'GROSSE STRASSE', 'Cafe\u0301', 'CAFÉ'] })).toEqual([
      { word: 'GROSSE STRASSE', root: null },
      { word: 'CAFÉ', root: null },
    ]);
    expect(of({ keywords: ['STRASSE'], keyword_paths: ['Orte|Straße|Ecke'] })).toContainEqual({ word: 'Straße', root: 'Orte' });
  });

  it('belong to the widest word of their path, and so do words between that stand by themselves', () => {
    expect(of({ keywords: ['Italy', 'Boats', 'Arezzo'], keyword_paths: ['Places|Italy|Tuscany|Arezzo', 'Boats'] })).toEqual([
      { word: 'Italy', root: 'Places' },
      { word: 'Boats', root: null },
      { word: 'Arezzo', root: 'Places' },
    ]);
  });

  it('are none where nothing is known of the picture', () => {
    expect(pictureKeywords({})).toEqual([]);
    expect(of({ keywords: 'Boats' })).toEqual([]);
  });
});
