import { refreshTarget } from './page-refresh';

describe('where a page sends its reader', () => {
  it.each([
    ['0; url=/a', '/a'],
    ['0;URL=https://www.example.org/', 'https://www.example.org/'],
    ["0; URL='/a b'", '/a b'],
    ['0;url="/a"', '/a'],
    ['0; url = /a', '/a'],
    ['0, url=/a', '/a'],
    ['0 url=/a', '/a'],
    ['0; /a', '/a'],
    [' 5.5 ; Url=/a ', '/a'],
    ["0; url='/a", '/a'],
    ['; url=/a', '/a'],
    ['0; url=?x=1;y=2', '?x=1;y=2'],
  ])('%s: %s', (value, target) => expect(refreshTarget(value)).toBe(target));

  it.each(['', '0', '5', '0;', '0; url=', "0; url=''", '300; url=/news', 'url=/a', '99999999; url=/a', `0; url=/${'a'.repeat(10_000)}`])(
    'is nowhere: "%.20s"',
    (value) => expect(refreshTarget(value)).toBeUndefined(),
  );
});
