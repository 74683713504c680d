import { growth, LINEAR, processorMs } from '../../../../../platform/testing/src/growth';
import { Equation } from './equations';

type Write = (equation: Equation) => void;

/** An element that holds others, or else a text, which is its value too. */
const m =
  (name: string, ...inside: readonly (Write | string)[]): Write =>
  (equation) => {
    const value = inside.find((each) => typeof each === 'string');
    equation.open({ name, attribute: () => value });
    for (const each of inside) {
      if (typeof each === 'string') equation.add(each);
      else each(equation);
    }
    equation.close();
  };

function textOf(write: Write): string {
  const equation = new Equation();
  write(equation);
  return equation.text;
}

const sign = (text: string): Write => m('r', m('t', text));

const nested = (levels: number): Write => {
  let inside = sign('n');
  for (let level = 0; level < levels; level++)
    inside = m('d', m('e', m('f', m('fPr', m('type', 'noBar')), m('num', inside), m('den', sign('k')))));
  return inside;
};

describe('an equation', () => {
  it('has one pair of brackets around a binomial, and its own around what else is beside one', () => {
    expect(textOf(nested(2))).toBe('((n choose k) choose k)');
    expect(textOf(m('d', m('e', sign(''), nested(1))))).toBe('((n choose k))');
    expect(textOf(m('d', m('e', nested(1)), m('e', sign('x'))))).toBe('((n choose k)|x)');
  });

  const half = m('f', m('num', sign('1')), m('den', sign('2')));
  const power = m('sSup', m('e', sign('10')), m('sup', sign('3')));

  it.each<[string, ...Write[]]>([
    ['(2 1/2)', m('d', m('e', sign('2'), half))],
    ['(2 10^3)', m('d', m('e', sign('2'), power))],
    ['2 1/2', sign('2'), m('box', m('e', half))],
    ['2 1/2', sign('2'), m('ins', half)],
    ['25', sign('2'), m('ins', sign('5'))],
    ['^1 2', m('sPre', m('sup', sign('1')), m('e', sign('2')))],
  ])('keeps numbers apart that are of two parts, and only those: %s', (expected, ...parts) => {
    expect(textOf(m('e', ...parts))).toBe(expected);
  });

  it('of many parts takes a time that grows with their number', () => {
    const equationOf = (size: number): Equation => {
      const equation = new Equation();
      for (let at = 0; at < size; at++) power(equation);
      return equation;
    };
    expect(growth(equationOf, 500, (equation) => equation.text)).toBeLessThan(LINEAR);
  });

  it('of binomials in each other takes a time that grows with it, not one that each of them doubles', () => {
    const few = processorMs(() => textOf(nested(5)));
    expect(processorMs(() => textOf(nested(20)))).toBeLessThan(20 * Math.max(few, 20));
  });
});
