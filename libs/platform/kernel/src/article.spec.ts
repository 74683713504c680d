import { withArticle } from './article';

describe('the article of a noun', () => {
  it.each(['an album', 'an owner of files', 'an image', 'an agent', 'an upload', 'a user', 'a unit', 'a file', 'a space'])(
    'is that of %s',
    (named) => {
      expect(withArticle(named.replace(/^an? /, ''))).toBe(named);
    },
  );
});
