import { jsonWeight } from './json-weight';

const weightOf = (text: string): number => jsonWeight(Buffer.from(text));

describe('the weight of JSON', () => {
  it.each([
    ['a text', `"${'x'.repeat(98)}"`, 100],
    ['what only looks like lists within a text', String.raw`"[[[\"[[,,"`, 11],
    ['a list of empty lists', '[[],[],[]]', 10 + 4 * 56 + 2 * 16],
    ['an object', '{"a":1,"b":{}}', 14 + 2 * 56 + 16],
  ])('is what it takes once it is read: %s', (_, text, weight) => {
    expect(weightOf(text)).toBe(weight);
  });

  it('is never less than its bytes, also where it is no JSON', () => {
    for (const text of ['', '"', '"\\', 'x', '"x\\"']) expect(weightOf(text)).toBe(text.length);
  });
});
