import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import type { Question } from './question';
import { StemMatches, type TextStems } from './stem-matches';

const NONE: ReadonlySet<string> = new Set();
const questionOf = (...stems: string[]): Question => ({ stems, own: new Set(stems), names: new Set(), wanted: null });
const told = (...stems: string[]): TextStems => ({ stems: new Set(stems), near: NONE, far: NONE, tellsFact: false });
/** A number in letters: stems with figures are akin to none. */
const lettersOf = (number: number): string => [...String(number)].map((figure) => 'abcdefghij'.charAt(Number(figure))).join('');

describe('how much of a question texts have', () => {
  it('is less for a stem that is akin than for the stem itself', () => {
    const texts = [told('harbour', 'fee'), told('harbourmast', 'night')];
    const matches = new StemMatches(questionOf('harbourmaster'), texts);
    expect(matches.shareIn([told('harbourmast')])).toBeCloseTo(0.7);
    expect(matches.shareIn([told('harbour', 'x')])).toBeCloseTo(0.7);
    expect(matches.shareIn([told('night')])).toBe(0);
    expect(new StemMatches(questionOf('harbour'), texts).shareIn([told('harbour')])).toBe(1);
  });

  it('takes a time that grows with the texts, however many of their stems are akin to those asked for', () => {
    const question = questionOf(...Array.from({ length: 4 }, (_, at) => `harbourmaster${lettersOf(at)}z`));
    const textsOf = (size: number): TextStems[] => Array.from({ length: size }, (_, at) => told(`harbourmaster${lettersOf(at)}q`, 'x'));
    const share = (texts: readonly TextStems[]): number => {
      const matches = new StemMatches(question, texts);
      // None of the stems that are asked about is in these, so that each is looked for to the end.
      return texts.reduce((sum) => sum + matches.shareIn([told('x')]), 0);
    };
    expect(growth(textsOf, 500, share)).toBeLessThan(LINEAR);
  });
});
