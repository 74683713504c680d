import { processorMs } from '../../../../../platform/testing/src/growth';
import { Equation } from './equations';

interface Node extends ReadonlyArray<Node | string> {
  readonly 0: string;
}

const BINOMIAL: Node = ['fPr', ['type', 'noBar']];

function write(node: Node, equation: Equation): void {
  const [name, inside] = [node[0], node.slice(1)];
  const value = typeof inside[0] === 'string' ? inside[0] : undefined;
  equation.open({ name, written: `m:${name}`, attributes: {}, attribute: () => value, reference: () => undefined });
  for (const each of inside) {
    if (typeof each === 'string') equation.add(each);
    else write(each, equation);
  }
  equation.close();
}

function textOf(node: Node): string {
  const equation = new Equation();
  write(node, equation);
  return equation.text;
}

const nested = (levels: number): Node => {
  let inside: Node = ['r', ['t', 'n']];
  for (let level = 0; level < levels; level++) inside = ['d', ['e', ['f', BINOMIAL, ['num', inside], ['den', ['r', ['t', 'k']]]]]];
  return inside;
};

describe('an equation', () => {
  it('has one pair of brackets around a binomial, and its own around what else is beside one', () => {
    expect(textOf(nested(2))).toBe('((n choose k) choose k)');
    expect(textOf(['d', ['e', ['r', ['t', '']], nested(1)]])).toBe('((n choose k))');
    expect(textOf(['d', ['e', nested(1)], ['e', ['r', ['t', 'x']]]])).toBe('((n choose k)|x)');
  });

  it('of binomials in each other takes a time that grows with it, not one that each of them doubles', () => {
    const few = processorMs(() => textOf(nested(5)));
    expect(processorMs(() => textOf(nested(20)))).toBeLessThan(20 * Math.max(few, 20));
  });
});
