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

  const members = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":${n % 3 === 0 ? '[{}]' : '"a,b"'}`).join(',');

  it.each([
    ['an object of a thousand names', `{${members(1_000)}}`, 0],
    ['an object of one more', `{${members(1_001)}}`, 1_001],
    ['many rows', `[${Array.from({ length: 20 }, () => `{${members(100)}}`).join(',')}]`, 0],
    ['a long list', `[${'0,'.repeat(5_000)}0]`, 0],
    ['two maps, one of them in the other', `{${members(1_500)},"more":[0,{${members(2_000)}}],"last":1}`, 3_502],
    ['a map that is cut off', `{"a":{${members(1_200)}`, 1_200],
    ['what closes more than it opens', `]]]]{${members(1_200)}}`, 1_200],
  ])('%s: the names of large objects are counted', (_what, text, names) => {
    expect(measured(text).names).toBe(names);
  });

  it('is measured where it is cut off in the middle of a text', () => {
    expect(measured('[1,2,"a\\').values).toBe(4);
  });

  it('never weighs less than its bytes, also where it is no JSON', () => {
    for (const text of ['', '"', '"\\', 'x', '"x\\"']) expect(measured(text).weight).toBe(text.length);
  });
});
