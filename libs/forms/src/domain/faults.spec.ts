import { isTaken } from './faults';

describe('a value that may be there once', () => {
  it.each([
    ['obj_content.sku', 'unique', true],
    ['obj_content.address.code', 'unique', true],
    ['obj_external_id', 'unique', true],
    ['obj_content.lines[1].sku', 'unique', false],
    ['obj_content.sku', 'pattern', false],
  ])('%s %s is taken by another row: %s', (path, code, taken) => {
    expect(isTaken({ path, code })).toBe(taken);
  });
});
