import { shiftMark } from './shift-mark';

describe('a tag that is left out of a text', () => {
  it.each([
    ['<sup>', '0', '6', '^'],
    ['<sup class="x">', 'm', '-', '^'],
    ['<sup>', '1', 's', ''],
    ['<sup>', ' ', '1', ''],
    ['<sub>', '0', '2', '_'],
    ['<sub>', 'H', '2', ''],
    ['</sup>', '6', '7', ''],
    ['<support>', '0', '6', ''],
    ['<b>', '0', '6', ''],
  ])('%s between %j and %j leaves %j', (tag, before, after, left) => {
    expect(shiftMark(tag, before, after)).toBe(left);
  });

  it('leaves nothing at the ends of a text', () => {
    expect([shiftMark('<sup>', undefined, '1'), shiftMark('<sup>', '1', undefined)]).toEqual(['', '']);
  });
});
