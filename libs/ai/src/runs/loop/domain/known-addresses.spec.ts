import { growth, LINEAR } from '../../../../../platform/testing/src/growth';
import { KnownAddresses } from './known-addresses';

const KNOWN = new KnownAddresses([
  'The tariff is at https://harbour.example/tariff. See (https://harbour.example/a_(b)) or www.harbour.example',
  '/next, <https://hafen.example/über?q=1;2>! mail@harbour.example; 𝒜www.script.example',
]);

describe('the addresses that texts hold', () => {
  it.each([
    ['https://harbour.example/tariff', true],
    ['https://harbour.example/tariff.', true],
    ['https://harbour.example/tarif', false],
    ['https://harbour.example', false],
    ['harbour.example/tariff', false],
    ['https://harbour.example/a_(b)', true],
    ['https://harbour.example/a_(b', true],
    ['https://harbour.example/a_', true],
    ['www.harbour.example', true],
    ['www.harbour', false],
    ['www.harbour.example\u0000/next', false],
    ['www.harbour.example/next', false],
    ['https://hafen.example/über?q=1;2', true],
    ['https://hafen.example/über?q=1', false],
    ['mail@harbour.example', true],
    ['www.script.example', true],
    ['(', false],
    ['', false],
  ])('are known where the text neither begins before them nor goes on: %j %s', (address, isKnown) => {
    expect(KNOWN.hasAddress(address)).toBe(isKnown);
  });

  it.each([
    ['distinct', (at: number) => `https://harbour.example/${at}`],
    ['of the same parts', (at: number) => `a.b.c.${'a.'.repeat(at % 7)}b`],
  ])('are found in time that grows with texts and addresses together, and not with their product: %s', (_, address) => {
    const all = (size: number): readonly string[] => Array.from({ length: size }, (_unused, at) => address(at));
    const ask = (size: number): number => {
      const known = new KnownAddresses([all(size).join(' ')]);
      return all(size).filter((_unused, at) => known.hasAddress(`https://evil.example/${at}`) || known.hasAddress(`${address(at)}?`))
        .length;
    };
    expect(growth((size) => size, 10_000, ask)).toBeLessThan(LINEAR);
  });
});
