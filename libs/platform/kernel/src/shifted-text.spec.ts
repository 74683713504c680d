import { growth, LINEAR } from '../../testing/src/growth';
import { ShiftedText, type Shift } from './shifted-text';

describe('a text with raised and lowered pieces', () => {
  it.each<[string, ...(readonly [string, Shift?])[]]>([
    ['10^6 units', ['10'], ['6', 'raised'], [' units']],
    ['10^-12 m', ['10'], ['-', 'raised'], ['12', 'raised'], [' m']],
    ['H2O, 5 m^2', ['H'], ['2', 'lowered'], ['O, 5 m'], ['2', 'raised']],
    ['the 1st', ['the 1'], ['st', 'raised']],
    ['1010_2 and 2^3 4', ['1010'], ['2', 'lowered'], [' and 2'], ['3', 'raised'], ['4']],
    ['SO4^(2−) ions', ['SO'], ['4', 'lowered'], ['2−', 'raised'], [' ions']],
    ['10^6_2', ['10'], ['6', 'raised'], ['2', 'lowered']],
    ['6 of them', ['6', 'raised'], [' of them']],
    ['', ['', 'raised']],
  ])('is %s', (expected, ...pieces) => {
    const text = new ShiftedText();
    for (const [piece, shift] of pieces) text.add(piece, shift);
    expect(text.end()).toBe(expected);
  });

  it('keeps the numbers of an equation apart from those beside it', () => {
    const text = new ShiftedText();
    text.add('Take 2');
    text.addApart('1/2');
    text.add('3', 'raised');
    text.addApart('2^3');
    text.add('4 times 5');
    text.add('6');
    text.addApart('x');
    text.add('7');
    expect(text.end()).toBe('Take 2 1/2^3 2^3 4 times 56x7');
  });

  it('is put together in a time that grows with its length', () => {
    const textOf = (size: number): string => {
      const text = new ShiftedText();
      for (let at = 0; at < size; at++) text.add(at % 2 === 0 ? 'word 10' : '6', at % 2 === 0 ? undefined : 'raised');
      return text.end();
    };
    expect(growth((size) => size, 20_000, textOf)).toBeLessThan(LINEAR);
  });
});
