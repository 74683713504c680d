import { measureJson } from './json-measure';

const measured = (text: string): ReturnType<typeof measureJson> => measureJson(Buffer.from(text));

describe('JSON', () => {
  it.each([
    ['{}', 2, 2 + 56],
    ['["a, b [c {d"]', 2, 14 + 56],
    [String.raw`{"a, [": "\",[{\\", "b": 1}`, 3, 27 + 56 + 16],
    ['[0,0,0]', 4, 7 + 56 + 2 * 16],
    ['[[],[],[]]', 7, 10 + 4 * 56 + 2 * 16],
    ['{"a":1,"b":{}}', 4, 14 + 2 * 56 + 16],
    [`"${'x'.repeat(98)}"`, 1, 100],
    [String.raw`"[[[\"[[,,"`, 1, 11],
  ])('%s has its values and its weight outside of texts', (text, values, weight) => {
    expect(measured(text)).toMatchObject({ values, weight });
  });

  it.each([
    ['1', 0],
    ['[]', 1],
    ['[{"a":[]},{"b":[[1]]}]', 4],
    ['{"a":"[[[[","b":{}}', 2],
    ['[[', 2],
    [']][', 0],
  ])('%s is as deep as its lists and objects are inside one another: %d', (text, depth) => {
    expect(measured(text).depth).toBe(depth);
  });

  it.each([
    ['{"rows":[{"a":1},{"b":[{"c":2}]},{}]}', 15],
    ['{"rows":["abcdef",{}],"more":{"a":[1,2]}}', 5],
    [String.raw`{"rows":["[\"{",1]}`, 0],
    ['{"rows":[1,2,3]}', 0],
    ['{"rows":"abcdef"}', 0],
    [']]]{"rows":[{"a":1}]}', 0],
  ])('%s has its largest part two levels in: %d bytes', (text, largest) => {
    expect(measured(text).largest).toBe(largest);
  });

  const names = (count: number, at = 0): string =>
    Array.from({ length: count }, (_, n) => `"k${at + n}"${[' ', '\t\n', ''][n % 3]}:{"a,b":"c:d"}`).join(',');
  const padded = (text: string): string => `[${text},"${'x'.repeat(65_536)}"]`;

  it.each([
    ['one map', `{${names(40_000)}}`, 40_001],
    [
      'many small objects of names of their own',
      `[${Array.from({ length: 400 }, (_, n) => `{${names(100, 100 * n)}}`).join(',')}]`,
      40_001,
    ],
    ['many rows with the same names', `[${Array.from({ length: 400 }, () => `{${names(100)}}`).join(',')}]`, 101],
    ['texts that are no names', `[${Array.from({ length: 5_000 }, (_, n) => `"k${n}"`).join(',')}]`, 0],
    ['a map that is cut off', `{"a":{${names(5_000)}`, 5_002],
  ])('%s: different names are counted, hardly fewer than there are and never more', (_what, text, count) => {
    const found = measured(padded(text)).names;
    expect(found).toBeLessThanOrEqual(count);
    expect(found).toBeGreaterThanOrEqual(Math.floor(count * 0.9));
  });

  it('has no names counted where it is too short for many', () => {
    expect(measured(`{${names(100)}}`).names).toBe(0);
  });

  it('is measured where it is cut off in the middle of a text', () => {
    expect(measured('[1,2,"a\\').values).toBe(4);
  });

  it('never weighs less than its bytes, also where it is no JSON', () => {
    for (const text of ['', '"', '"\\', 'x', '"x\\"']) expect(measured(text).weight).toBe(text.length);
  });
});
