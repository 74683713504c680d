import { processorMs } from '../../../../platform/testing/src/growth';
import { lexemesOf } from '../../passages/domain/lexemes';
import { stemmingOf } from '../../passages/infrastructure/stemmers';
import { readQuery } from './query-words';
import { choiceOf } from './choice';

const NONE = (): boolean => false;
const read = async (text: string, language: string | null = null, isStopWord: (word: string) => boolean = NONE) =>
  readQuery(text, await stemmingOf(language), isStopWord);

describe('a query', () => {
  it('is its words with their stems, each once and without stop words', async () => {
    const { words } = await read('The boats and the boats', 'en', (word) => ['the', 'and'].includes(word));
    expect(words).toEqual([
      {
        word: 'boats',
        forms: [
          { lexeme: 'boats', weight: 0.5, kind: 'word' },
          { lexeme: 'boat~en', weight: 1, kind: 'stem' },
        ],
      },
    ]);
  });

  it('takes little longer to read than its words take to be found', async () => {
    const stemmings = await stemmingOf('en');
    const numbers = Array.from({ length: 8_000 }, (_, n) => n).join(' ');
    const finding = processorMs(() => [...lexemesOf(numbers, stemmings)]);
    expect(processorMs(() => readQuery(numbers, stemmings, NONE))).toBeLessThan(6 * finding);
  });

  it('is looked for by pairs of characters; a single character is a word', async () => {
    expect((await read('東京')).words.map(({ word, forms }) => [word, forms[0]?.weight])).toEqual([
      ['東', 0.3],
      ['東京', 1],
      ['京', 0.3],
    ]);
    expect((await read('駅')).words).toEqual([{ word: '駅', forms: [{ lexeme: '駅', weight: 1, kind: 'character' }] }]);
  });

  it('says what has to stand there in these words, and what must not', async () => {
    const { words, phrases, excluded } = await read('harbour "old town" -ferry HIV-1 - x');
    expect({ words: words.map(({ word }) => word), phrases, excluded }).toEqual({
      words: ['harbour', 'old', 'town', 'hiv', '1', 'x'],
      phrases: [['old', 'town']],
      excluded: ['ferry'],
    });
  });

  it.each(['', '???', '🚢🚢', '" "', "'; DROP TABLE passage; --", '(a & | !', '\\', 'a'.repeat(4_000), '"'.repeat(99)])(
    'is read whatever it is: %j',
    async (text) => {
      const query = await read(text, 'en');
      expect(choiceOf(query, { passages: 0, isNarrow: false }, new Map())).toBeNull();
    },
  );
});
