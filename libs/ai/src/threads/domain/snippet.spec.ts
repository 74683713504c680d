import { snippetOf } from './snippet';

const marked = (text: string, query: string): string[] => {
  const snippet = snippetOf(text, query);
  return snippet.matches.map(({ start, end }) => snippet.text.slice(start, end));
};

describe('a snippet', () => {
  it('marks whole words of the query in any case', () => {
    expect(marked('Toner and toners; TONER', 'toner')).toEqual(['Toner', 'TONER']);
    expect(marked('Größe zählt', 'größe')).toEqual(['Größe']);
  });

  it('begins shortly before the first of them, and says where it is cut', () => {
    const { text } = snippetOf(`${'a '.repeat(500)}harbour${' b'.repeat(500)}`, 'harbour');
    expect(text.startsWith('… a')).toBe(true);
    expect(text.endsWith('b …')).toBe(true);
    expect(text).toContain('harbour');
    expect(text.length).toBeLessThan(260);
  });

  it('never cuts a character in halves', () => {
    for (const at of [0, 1])
      expect(snippetOf(`${'x'.repeat(at)}${'😀'.repeat(300)} harbour ${'😀'.repeat(300)}`, 'harbour').text).not.toMatch(/\p{Surrogate}/u);
  });

  it('is the beginning where no word stands in the text', () => {
    expect(snippetOf('Plain\ntext', '"" -x')).toEqual({ text: 'Plain text', matches: [] });
  });
});
