import { loweredText, raisedText, shiftMark } from './shifted-signs';

describe('a raised text', () => {
  it.each([
    ['6', '10', '^6'],
    ['−3', '10', '^-3'],
    ['2', 'm', '^2'],
    ['n', 'x', '^n'],
    ['n+1', 'x', '^(n+1)'],
    ['1', 'harbour', '^1'],
    ['a', 'harbour', '^a'],
    ['a', 'C', 'a'],
    ['e', 'siècle', 'e'],
    ['st', '1', 'st'],
    ['me', 'M', 'me'],
    ['1', '', '1'],
    ['1, 2', '10', '^1, 2'],
    ['1)', '10', '^1)'],
    ['6 $& on', '10', '^(6 $& on)'],
  ])('%s behind %j is %j', (text, before, written) => {
    expect(raisedText(text, before)).toBe(written);
  });

  it.each([
    ['3', '4', '^3 '],
    ['3', ' m', '^3'],
    ['n', '4', '^n'],
    ['st', '4', 'st'],
  ])('%s before %j is %j', (text, after, written) => {
    expect(raisedText(text, '2', after)).toBe(written);
  });

  it.each([
    ['1', '', '2019', '1 '],
    ['1', '', ' Harbour', '1'],
    ['1 ', '', '2019', '1 '],
    ['', '', '2019', ''],
  ])('%j between %j and %j, the mark of what follows, is %j', (text, before, after, written) => {
    expect(raisedText(text, before, after)).toBe(written);
  });
});

describe('a lowered text', () => {
  it.each([
    ['2', 'H', 'O', '2'],
    ['2', '1010', ' is ten', '_2'],
    ['10', 'log', '100', '_(10)'],
    ['10', 'log', ' x', '10'],
    ['max', 'v', '', 'max'],
  ])('%s between %j and %j is %j', (text, before, after, written) => {
    expect(loweredText(text, before, after)).toBe(written);
  });
});

describe('a tag that is left out of a text', () => {
  it.each([
    ['<sup>', 'x 10', '6</sup>', '^'],
    ['<sup class="x">', 'm', '-2</sup>', '^'],
    ['<sup>', 'harbour', 'a</sup>', '^'],
    ['<sup>', '1', 'st</sup>', ''],
    ['<sup>', '', '1</sup>', ''],
    ['<sub>', '1010', '2</sub>', '_'],
    ['<sub>', 'H', '2</sub>', ''],
    ['</sub>', 'log10', '100', ' '],
    ['</sup>', '10^6', '5', ' '],
    ['</sup>', '10^6', ' m', ''],
    ['<support>', '10', '6', ''],
    ['<b>', '10', '6', ''],
  ])('%s between %j and %j leaves %j', (tag, before, behind, left) => {
    expect(shiftMark(tag, before, behind)).toBe(left);
  });
});
