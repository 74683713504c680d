import { folded } from '@atrium/platform/kernel';
import { spellingsOf, writtenWays } from './name-spellings';

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

describe('the ways in which a person is written', () => {
  const waysOf = (name: string): readonly (string | null)[] =>
    writtenWays({ user_id: null, email: 'ada@quay.example', name }).map((way) => way.name);

  it('have each word of the name as it is, folded, and with its marks apart', () => {
    expect(waysOf('Zoë Groß')).toEqual(['Zoë Groẞ', 'Zoë Groẞ'.normalize('NFD'), 'Zoë gross', 'Zoë gross'.normalize('NFD')]);
  });

  it('are one for names of plain letters, and few for names of many words', () => {
    expect(waysOf('Ada Quartermaine')).toEqual(['Ada Quartermaine']);
    expect(waysOf('Groß '.repeat(40).trim()).length).toBeLessThanOrEqual(4);
  });
});
