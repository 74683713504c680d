import { keptCarried } from './carried';

describe('what goes back to a provider with a step', () => {
  const saying = (reasoning_content: string) => ({ by: 'p/m', message: { reasoning_content } });

  it.each(['\\ud83d is half of a character', 'a zero is written \\u0000 in JSON', '\\\\u0000', '😀'])(
    'is kept where it says %j',
    (text) => {
      expect(keptCarried(saying(text))).toEqual(saying(text));
    },
  );

  it.each(['\ud83d', '\0', '\\\ud83d', '\\\\\0'])('is left out where no database keeps it: %j', (text) => {
    expect(keptCarried(saying(text))).toBeNull();
    expect(keptCarried({ by: 'p/m', message: { [text]: 1 } })).toBeNull();
  });
});
