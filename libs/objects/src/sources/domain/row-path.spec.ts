import type { JsonValue } from '@atrium/platform/kernel';
import { RowPath } from './row-path';

const ROW: JsonValue = {
  name: 'Lamp',
  'Unit price': 4,
  "it's": true,
  größe: 'XL',
  sizes: [{ code: 's' }, { code: 'm' }, {}],
  nested: { list: [[1, 2], [3]] },
  none: null,
};

const read = (path: string): unknown => RowPath.parse(path).read(ROW);

describe('RowPath', () => {
  it.each([
    ['$.name', 'Lamp'],
    ['$["name"]', 'Lamp'],
    ["$['Unit price']", 4],
    ["$['it\\'s']", true],
    ['$["\\u006eame"]', 'Lamp'],
    ['$.größe', 'XL'],
    ['$.sizes[1].code', 'm'],
    ['$.sizes[-3].code', 's'],
    ['$.sizes[0]["code"]', 's'],
    ['$.none', null],
  ])('reads the one value at %s', (path, value) => {
    expect(read(path)).toEqual(value);
  });

  it.each([
    ['$.sizes[*].code', ['s', 'm']],
    ['$.sizes.*.code', ['s', 'm']],
    ['$.nested.list[*][*]', [1, 2, 3]],
    ['$.nested.list[ * ][0]', [1, 3]],
    ['$.name[*]', []],
  ])('reads every match of %s in order', (path, values) => {
    expect(read(path)).toEqual(values);
  });

  it.each([
    '$.absent',
    '$.sizes[9]',
    '$.sizes.code',
    '$.name.length',
    '$.name[0]',
    '$.none.x',
    '$.constructor',
    '$.__proto__',
    '$.sizes.length',
  ])('finds nothing at %s', (path) => {
    expect(read(path)).toBeUndefined();
  });

  it('is the row itself without steps', () => {
    expect(read('$')).toBe(ROW);
  });

  it.each([
    ['name', 'begin with \\$'],
    ['', 'begin with \\$'],
    ['$name', 'character 2'],
    ['$..name', 'character 2'],
    ['$.sizes[?@.code]', 'character 8'],
    ['$.sizes[0:2]', 'character 8'],
    ['$.sizes[01]', 'character 8'],
    ['$.sizes[0', 'character 8'],
    ['$.9', 'character 2'],
    ['$["a\\q"]', 'unknown escape'],
    [`$${'.a'.repeat(21)}`, 'at most 20 steps'],
    [`$.${'a'.repeat(500)}`, 'at most 500 characters'],
  ])('refuses %s', (path, sentence) => {
    expect(() => RowPath.parse(path)).toThrow(new RegExp(sentence));
  });

  it('takes 20 steps', () => {
    expect(RowPath.parse(`$${'.a'.repeat(20)}`).read(ROW)).toBeUndefined();
  });

  it('stops at more matches than a row may have', () => {
    const wide = { list: Array.from({ length: 10_001 }, () => 0) };
    expect(() => RowPath.parse('$.list[*]').read(wide)).toThrow(/more than 10,000 values/);
  });
});
