import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { FigureReader } from './figure-words';

/** A figure by its events: a name opens an element, with its baseline, `/name` closes it, and `=text` is text. */
function wordsOf(events: readonly string[]): string[] {
  const reader = new FigureReader();
  for (const event of events) {
    if (event.startsWith('/')) reader.close(event.slice(1));
    else if (event.startsWith('=')) reader.text(event.slice(1));
    else {
      const [name = '', baseline] = event.split(' ');
      reader.open({ name, attribute: () => baseline });
    }
  }
  return reader.words;
}
const inside = (name: string, ...events: readonly string[]): string[] => [name, ...events, `/${name}`];

describe('the words of a figure', () => {
  it('are its lines, and the names of its series once', () => {
    const line = inside('p', ...inside('t', '= Boats by '), 'br', '/br', ...inside('t', '=month'));
    const names = inside('strCache', ...inside('v', '=Sailing'), ...inside('v', '=Sailing'), ...inside('v', '=Rowing'));
    expect(wordsOf([...names, ...line, ...inside('v', '=7')])).toEqual(['Boats by month', 'Sailing', 'Rowing']);
  });

  it('have their raised and lowered signs', () => {
    const run = (text: string, baseline: number): string[] => inside('r', `rPr ${baseline}`, '/rPr', ...inside('t', `=${text}`));
    const line = inside('p', ...run('10', 0), ...run('6', 30_000), ...run(' of H', 0), ...run('2', -25_000), ...run('O', 0));
    expect(wordsOf(line)).toEqual(['10^6 of H2O']);
  });

  it.each([
    ['other elements', 'x'],
    ['paragraphs', 'p'],
    ['names', 'v'],
  ])('are found in a time that grows with it, also where very many elements end behind a long text: %s', (_, name) => {
    const figureOf = (size: number): string[] => [
      'strCache',
      ...inside('p', 't', `=${'a b '.repeat(size)}`, '/t'),
      ...Array.from({ length: size }, () => `/${name}`),
    ];
    expect(growth(figureOf, 2_000, wordsOf)).toBeLessThan(LINEAR);
  });
});
