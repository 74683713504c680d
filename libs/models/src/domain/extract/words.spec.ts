import * as snowball from 'snowball-stemmers';
import { loadReader, segmentsOf, wordsOf } from './words';

const SENTENCE = "The harbour office opens at 7:30, and doesn't close before 1,250.50 o'clock – señor Müller said so. ";

describe('the words of a text', () => {
  it('are the same however long it is, and nothing is lost between them', () => {
    const words = wordsOf(SENTENCE);
    expect(words).toEqual(expect.arrayContaining(['harbour', '7', '30', "doesn't", '1,250.50', 'señor', 'müller']));
    expect(wordsOf(SENTENCE.repeat(100))).toEqual(Array.from({ length: 100 }, () => words).flat());
    const text = `${SENTENCE.repeat(20)}${'x'.repeat(2_500)}  \n\n${SENTENCE}`;
    expect(
      segmentsOf(text)
        .map(({ segment }) => segment)
        .join(''),
    ).toBe(text);
  });

  it('are found in text without blanks, and in none', () => {
    expect(wordsOf('港'.repeat(2_500)).join('')).toBe('港'.repeat(2_500));
    expect(wordsOf('')).toEqual([]);
    expect(wordsOf(' \n ')).toEqual([]);
  });

  it('are found in a time that grows with its length alone', () => {
    const lengths: number[] = [];
    const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation((text) => {
      lengths.push(text.length);
      return [] as unknown as Intl.Segments;
    });
    wordsOf(SENTENCE.repeat(500));
    segment.mockRestore();
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_000);
  });
});

describe('the readers of texts', () => {
  it('have one stemmer for each language', async () => {
    const texts = [SENTENCE, 'Der Hafen ist nicht offen und das Boot ist weg.'];
    const load = async (): Promise<string[]> => (await Promise.all(texts.map(loadReader))).map(({ language }) => language);
    expect(await load()).toEqual(['en', 'de']);
    const made = jest.spyOn(snowball, 'newStemmer');
    expect(await load()).toEqual(['en', 'de']);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});
