import { rankPassages, type RankedPassage } from './ranking';
import type { QueryWord } from './query-words';

const word = (lexeme: string): QueryWord => ({ word: lexeme, forms: [{ lexeme, weight: 1, kind: 'word' }] });
const passage = (
  passage_id: string,
  text: Readonly<Record<string, readonly number[]>>,
  more: { title?: string; heading?: string; length?: number } = {},
): RankedPassage => ({
  passage_id,
  length: more.length ?? 100,
  places: new Map(
    [...new Set([...Object.keys(text), more.title ?? '', more.heading ?? ''])]
      .filter(Boolean)
      .map((lexeme) => [lexeme, { text: text[lexeme] ?? [], inTitle: more.title === lexeme, inHeading: more.heading === lexeme }]),
  ),
});
const rank = (words: readonly string[], passages: readonly RankedPassage[], frequencies: Readonly<Record<string, number>> = {}): string[] =>
  rankPassages(words.map(word), passages, { passages: 1_000, frequencies: new Map(Object.entries(frequencies)) }).map(
    ({ passage_id }) => passage_id,
  );

describe('ranking passages by their words', () => {
  it('counts rare words more than frequent ones', () => {
    expect(rank(['the', 'kraken'], [passage('a', { the: [1, 5, 9, 13] }), passage('b', { kraken: [4] })], { the: 900, kraken: 2 })).toEqual(
      ['b', 'a'],
    );
  });

  it('counts more of a word, less and less, and short passages more than long ones', () => {
    expect(rank(['sail'], [passage('a', { sail: [1] }), passage('b', { sail: [1, 9] })], { sail: 10 })).toEqual(['b', 'a']);
    expect(
      rank(['sail'], [passage('a', { sail: [1] }, { length: 400 }), passage('b', { sail: [1] }, { length: 50 })], { sail: 10 }),
    ).toEqual(['b', 'a']);
    const two = rank(['sail', 'mast'], [passage('a', { sail: [1, 20, 40, 60, 80] }), passage('b', { sail: [1], mast: [50] })], {
      sail: 10,
      mast: 10,
    });
    expect(two).toEqual(['b', 'a']);
  });

  it('counts the title and the headings', () => {
    expect(
      rank(
        ['sail'],
        [passage('a', { sail: [1] }), passage('b', { sail: [1] }, { heading: 'sail' }), passage('c', { sail: [1] }, { title: 'sail' })],
        { sail: 9 },
      ),
    ).toEqual(['c', 'b', 'a']);
  });

  it('counts words of the query that stand near each other', () => {
    expect(
      rank(['sail', 'cloth'], [passage('a', { sail: [1], cloth: [60] }), passage('b', { sail: [1], cloth: [2] })], { sail: 9, cloth: 9 }),
    ).toEqual(['b', 'a']);
  });

  it('counts the best of the stems of a word, and the exact form besides', () => {
    const boats: QueryWord = {
      word: 'boats',
      forms: [
        { lexeme: 'boats', weight: 0.5, kind: 'word' },
        { lexeme: 'boat~en', weight: 1, kind: 'stem' },
        { lexeme: 'boats~fr', weight: 1, kind: 'stem' },
      ],
    };
    const collection = {
      passages: 100,
      frequencies: new Map([
        ['boats', 5],
        ['boat~en', 5],
        ['boats~fr', 5],
      ]),
    };
    const of = (...lexemes: string[]): number =>
      rankPassages([boats], [passage('a', Object.fromEntries(lexemes.map((lexeme) => [lexeme, [1]])))], collection)[0]?.score ?? 0;
    expect(of('boat~en', 'boats~fr')).toBe(of('boat~en'));
    expect(of('boats', 'boat~en')).toBeCloseTo(1.5 * of('boat~en'));
  });

  it('leaves out what has none of the words, and names those that are there', () => {
    expect(rank(['sail'], [passage('a', {})])).toEqual([]);
    const [ranked] = rankPassages([word('sail'), word('mast')], [passage('a', { sail: [1] })], { passages: 10, frequencies: new Map() });
    expect(ranked?.terms).toEqual(['sail']);
  });

  it('keeps the order of ids where passages say the same', () => {
    expect(rank(['sail'], [passage('b', { sail: [1] }), passage('a', { sail: [1] })])).toEqual(['a', 'b']);
  });
});
