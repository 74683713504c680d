import { lossOf, SignCounts } from './sign-counts';

const loss = (source: string, markdown: string): ReturnType<typeof lossOf> => lossOf(new SignCounts(source), markdown);

describe('what a text lost', () => {
  it.each([
    ['the same words as markdown', 'Name Price Chair 120', '| Name | **Price** |\n| --- | --- |\n| Chair | 120 |'],
    ['another order', 'one two three 4', '4 three two one'],
    ['words that were broken at the end of a line', 'The para- graph has 12 34 digits', 'The paragraph has 1234 digits'],
    ['words that stood without a space', 'NamePrice', 'Name Price'],
    ['soft hyphens', 'co\u00ADop\u00ADeration', 'cooperation'],
    ['decomposed letters', 'Mu\u0308ller', 'Müller'],
    ['signs without spaces', '会議は東京で', '会議は\n\n東京で'],
    ['what the markdown says besides', 'Sales', '## Sheet 1 (hidden sheet)\n\nSales'],
  ])('is nothing for %s', (_, source, markdown) => expect(loss(source, markdown)).toBeNull());

  it.each([
    ['a word', 'the harbour is open', 'the is open', 0.25],
    ['a number', 'Room 101 Room 102', 'Room Room 102', 0.25],
    ['one of two that are equal', '7 and 7', '7 and', 0.3333],
    ['a sign', '会議は東京で', '会議はで', 0.3333],
    ['everything', 'Some words', '', 1],
  ])('is counted: %s', (_, source, markdown, share) =>
    expect(loss(source, markdown)).toEqual({ share, reason: expect.stringMatching(/^\d+ of the \d+ words/) as string }),
  );

  it('may be a few words of a long text, and not many', () => {
    const long = 'word '.repeat(1_000);
    expect(loss(`${long} a b c d`, long)).toBeNull();
    expect(loss(`${long} a b c d e`, long)).toMatchObject({ share: 0.005 });
  });

  it('is not what was left out on purpose', () => {
    const source = new SignCounts('Yearly report Page 1 Words');
    source.leaveOut('Yearly report');
    source.leaveOut('Page 1');
    expect(lossOf(source, 'Words')).toBeNull();
    expect(lossOf(source, '')).toMatchObject({ share: 1 });
  });

  it('is counted for so many different words, and a file that has more is compared by these', () => {
    const many = Array.from(
      { length: 200_010 },
      (_, at) => `x${at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`,
    );
    const [all, followed] = [many.join(' '), many.slice(0, 200_000).join(' ')];
    expect(new SignCounts(all).total).toBe(200_000);
    expect(loss(all, followed)).toBeNull();
    expect(loss(all, all.slice(0, 1_000))?.share).toBeGreaterThan(0.9);
  });

  it('is looked for in pieces of words so often, and what is left then counts as lost', () => {
    const few = Array.from(
      { length: 3_000 },
      (_, at) =>
        'a'.repeat(50) +
        at
          .toString(2)
          .padStart(12, '0')
          .replace(/\d/g, (digit) => 'bc'[Number(digit)] ?? ''),
    );
    const pieces = (words: readonly string[]): string => words.flatMap((word) => [...word]).join(' ');
    expect(loss(few.slice(0, 300).join(' '), pieces(few.slice(0, 300)))).toBeNull();
    expect(loss(few.join(' '), pieces(few))?.share).toBeGreaterThan(0.1);
  });
});
