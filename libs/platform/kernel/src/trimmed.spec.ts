import { withoutEnd, withoutEnds } from './trimmed';

describe('the ends of a text', () => {
  it('are cut as far as they are such characters', () => {
    expect(['https://a.example//', '//', '', 'a/b'].map((text) => withoutEnd(text, /\//))).toEqual(['https://a.example', '', '', 'a/b']);
    expect([' ..a. b.. ', '. .', ''].map((text) => withoutEnds(text, /[.\s]/))).toEqual(['a. b', '', '']);
  });
});
