import { escapeLinkWords, escapeMarkdown, withoutTrailingBlanks, withoutTrailingBreaks } from './markdown-syntax';

/** Seconds of processor time. */
const cost = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

describe('text as markdown', () => {
  it.each([
    ['[a](b)', '\\[a](b)'],
    ['[a] (b)', '[a] (b)'],
    ['[[a][b] [c]: d', '\\[\\[a][b] \\[c]: d'],
    ['[a\n](b)', '[a\n](b)'],
    ['\\[a](b)', '\\\\\\[a](b)'],
    ['# a\n  - b\n\n12. c\n---', '\\# a\n  \\- b\n\n12\\. c\n\\---'],
    ['a *b* _c_ <d> &amp;', 'a \\*b\\* \\_c\\_ \\<d> \\&amp;'],
  ])('%j is %j', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  it.each([
    ['a [b] c', 'a \\[b\\] c'],
    ['![b](https://e.x/c) [d', '![b](https://e.x/c) \\[d'],
    ['\\[b\\]', '\\[b\\]'],
  ])('in a link: %j is %j', (words, escaped) => {
    expect(escapeLinkWords(words)).toBe(escaped);
  });

  it('loses the blanks at its ends, but for line breaks', () => {
    expect(withoutTrailingBlanks('a  \nb   \n\t\nc')).toBe('a  \nb\n\nc');
    expect(withoutTrailingBreaks('a\n\nb\n\n')).toBe('a\n\nb');
  });

  it.each(['[', ' ', '\n', '\t', '\u2028', '\u3000', '-', '`', '&', '_', '*', '<', '\\', '1'])(
    'costs no more than its length, also where it is all %j',
    (sign) => {
      const text = `x${sign.repeat(200_000)}x`;
      for (const work of [escapeMarkdown, escapeLinkWords, withoutTrailingBlanks, withoutTrailingBreaks])
        expect(cost(() => work(text))).toBeLessThan(1);
    },
  );
});
