import { searchedText } from './searched-text';

const ID = '0190b2f4-0000-7000-8000-00000000000a';

describe('the searched text of a row', () => {
  it('keeps ids apart, in either case, each once', () => {
    expect(searchedText(`/files/${ID}/versions`, [undefined, `{"id":"${ID}"}`])).toEqual({
      text: '/files//versions\n{"id":""}',
      ids: new Set([ID]),
    });
    expect(searchedText(`/files/${ID.toUpperCase()}`, [])).toEqual({ text: '/files/', ids: new Set([ID.toUpperCase()]) });
  });

  it('leaves longer words and fragments as they are', () => {
    for (const text of [`/x${ID}`, `/${ID}0`, `/${ID.slice(1)}`, '/files/0190b2f4'])
      expect(searchedText(text, [])).toEqual({ text, ids: undefined });
  });

  it('leaves out what every path begins with, and nothing like it elsewhere', () => {
    expect(searchedText('/api/v1/files', ['{"at":"/api/v1/files"}'])).toEqual({ text: '/files\n{"at":"/api/v1/files"}', ids: undefined });
    for (const path of ['/apis/v1/files', '/api/v12x', '/files/api/v1/x'])
      expect(searchedText(path, [])).toEqual({ text: path, ids: undefined });
  });

  it('is for the database to say where a number is written in another way there', () => {
    expect(searchedText('/', ['{"n":1e+21}'])).toBeUndefined();
    expect(searchedText('/', ['{"n":1e-7}'])).toBeUndefined();
    // Within an id it is no number.
    expect(searchedText('/0190b2f4-001e-7000-8000-00000000000a', [])).toBeDefined();
  });
});
