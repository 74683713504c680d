import { folded } from '@atrium/platform/kernel';
import { piecesOf, spellingsOf, writtenWays } from './name-spellings';

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

/** As a database finds it whose locale knows the case of ASCII alone. */
const smallAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const finds = (name: string, text: string): boolean => {
  const pattern = piecesOf(name)
    .map((piece) => piece.pattern ?? piece.text)
    .join('');
  return new RegExp(`^${smallAscii(pattern)}$`, 'u').test(smallAscii(text));
};

describe('the pieces of a name', () => {
  it('find it however letters that fold to several are written, also where these overlap', () => {
    for (const text of ['Faßtner', 'FASSTNER', 'FAẞTNER', 'fas\u{FB06}ner', 'Faſtner', 'Fas\u{FB05}ner', 'fasstner'])
      expect([text, finds('Faßtner', text)]).toEqual([text, text !== 'Faſtner']);
    expect(['\u{FB03}a', 'f\u{FB01}a', '\u{FB00}ia', 'FFIA'].map((text) => finds('ffia', text))).toEqual([true, true, true, true]);
    expect(['İbrahim', 'i̇brahim', 'İBRAHIM'.normalize('NFD'), 'Ibrahim'].map((text) => finds('İbrahim', text))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(['Սևակ', 'ՍԵՒԱԿ', 'Սեւակ'].map((text) => finds('Սևակ', text))).toEqual([true, true, true]);
  });

  it('stay few where many overlap', () => {
    const length = piecesOf('ss'.repeat(100)).reduce((sum, { pattern }) => sum + (pattern?.length ?? 0), 0);
    expect(length).toBeLessThan(50_000);
  });
});

describe('the ways in which a person is written', () => {
  const waysOf = (name: string): readonly (string | null)[] =>
    writtenWays({ user_id: null, email: 'ada@quay.example', name }).map((way) => way.name);

  it('have each word of the name as it is, folded, and with its marks apart', () => {
    const ways = ['Zoë Groß', 'Zoë Groẞ', 'Zoë gross'];
    expect(waysOf('Zoë Groß')).toEqual(ways.flatMap((way) => [way, way.normalize('NFD')]));
  });

  it('have what a letter folds to where it folds to several', () => {
    expect(waysOf('İbrahim')).toEqual(expect.arrayContaining(['İbrahim', folded('İbrahim')]));
  });

  it('are one for names of plain letters, and few for names of many words', () => {
    expect(waysOf('Ada Quartermaine')).toEqual(['Ada Quartermaine']);
    expect(waysOf('Groß '.repeat(40).trim()).length).toBeLessThanOrEqual(6);
  });
});
