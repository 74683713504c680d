import { folded } from '@atrium/platform/kernel';
import { spellingsOf } from './name-spellings';

const othersOf = (name: string): Record<string, readonly string[]> =>
  Object.fromEntries(spellingsOf(name).map(({ part, others }) => [part, others]));

describe('the spellings of a name', () => {
  it('are those of each of its parts that fold to the same', () => {
    const others = othersOf('Γιώργος Groß');
    expect(others['ss']).toEqual(expect.arrayContaining(['ß', 'ẞ', 'SS']));
    expect(others['σ']).toEqual(expect.arrayContaining(['Σ', 'ς']));
    expect(others['ώ']).toEqual(expect.arrayContaining(['Ώ', 'ώ'.normalize('NFD'), 'Ώ'.normalize('NFD')]));
    for (const [part, list] of Object.entries(others)) expect(list.map(folded)).toEqual(list.map(() => part));
  });

  it('are none for names of plain letters', () => {
    expect(spellingsOf('Ada Quartermaine')).toEqual([]);
  });
});
