import { choiceOf, readChoiceOf, READ_AT_MOST } from './choice';
import { readQuery } from './query-words';

const ALL = 100_000;
const choice = (text: string, frequencies: Readonly<Record<string, number>>, searched = { passages: ALL, isNarrow: false }) =>
  choiceOf(
    readQuery(text, [], () => false),
    searched,
    new Map(Object.entries(frequencies)),
  );

describe('which passages are worth ranking', () => {
  it('are those with any rare word, and those more that stress it', () => {
    const { words, weights, together, condition } = choice('old harbour', { old: 7, harbour: 3 }) ?? {};
    expect(words).toEqual(['harbour', 'harbour!', 'old', 'old!']);
    const [harbour = 0, stressed = 0, old = 0] = weights ?? [];
    expect(harbour).toBeGreaterThan(old);
    expect(stressed).toBeCloseTo(harbour / 2);
    expect({ together, condition }).toEqual({ together: [], condition: null });
  });

  it('are not chosen by a word beside which the others could not be read', () => {
    expect(choice('old harbour', { old: READ_AT_MOST, harbour: 3 })?.words).toEqual(['harbour', 'harbour!']);
    expect(choice('old harbour town', { old: READ_AT_MOST / 2, harbour: READ_AT_MOST / 2, town: 1 })?.words).toEqual([
      'town',
      'town!',
      'harbour',
      'harbour!',
    ]);
  });

  it('stress frequent words or have all of them, where no word is rare', () => {
    expect(choice('old harbour', { old: READ_AT_MOST + 2, harbour: READ_AT_MOST + 1 })).toMatchObject({
      words: ['harbour!', 'old!'],
      together: ['old', 'harbour'],
      onlyTogether: false,
    });
  });

  it('are those with any word, however frequent it is elsewhere, where few passages are searched alone', () => {
    const often = { old: READ_AT_MOST + 2, harbour: READ_AT_MOST + 1 };
    expect(choice('old harbour', often, { passages: 3 * READ_AT_MOST, isNarrow: true })?.words).toEqual([
      'harbour',
      'harbour!',
      'old',
      'old!',
    ]);
    expect(choice('old harbour', often, { passages: READ_AT_MOST / 2, isNarrow: false })?.words).toEqual(['harbour!', 'old!']);
  });

  it('have what is quoted in its order and nothing that is excluded', () => {
    expect(choice(`"old town" -ferry`, { old: 1, town: 1 })).toMatchObject({
      words: ['old', 'old!', 'town', 'town!'],
      together: ['old', 'town'],
      onlyTogether: true,
      condition: "('old' <-> 'town') & !'ferry'",
    });
  });

  it('are asked for by the same words where they are read themselves', () => {
    const often = { old: READ_AT_MOST + 2, harbour: 3, ferry: 1 };
    const chosen = choice('old harbour -ferry', often, { passages: 500, isNarrow: true });
    expect(chosen && readChoiceOf(chosen)).toEqual({
      condition: "('harbour' | 'old') & !'ferry'",
      words: ["'harbour'", "'old'"],
      stressed: ["'harbour':AB", "'old':AB"],
      weights: [chosen?.weights[0], chosen?.weights[2]],
    });
  });

  it('are none where no word occurs anywhere', () => {
    expect(choice('old harbour', {})).toBeNull();
  });
});
