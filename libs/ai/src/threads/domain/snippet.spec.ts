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

  it.each(['ısı', 'isi', 'İSİ', 'ISI', 'I\u0307SI\u0307'])('marks words with any i as they are written: %s', (query) => {
    expect(marked('Isı, ısı; İSİ. I\u0307SI\u0307? isim', query)).toEqual(['Isı', 'ısı', 'İSİ', 'I\u0307SI\u0307']);
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

  it('is the beginning where no word occurs in the text', () => {
    expect(snippetOf('Plain\ntext', '"" -x')).toEqual({ text: 'Plain text', matches: [] });
  });
});

describe('the words of a long query', () => {
  it('are looked for as far as a reader would look for them', () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ');
    expect(snippetOf('word1 and word1999', words).matches).toEqual([{ start: 0, end: 5 }]);
  });
});
