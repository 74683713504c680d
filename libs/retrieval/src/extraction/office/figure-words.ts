import { readXml, type Package } from '@atrium/platform/tabular';

/** Kinds of parts that figures have their words in. */
export const FIGURES: ReadonlySet<string> = new Set(['chart', 'diagramData']);
const MOST_WORDS = 2_000;

/** The words of a chart or of SmartArt: what is written in it as lines, then the names of the series and categories, each once. */
export async function figureWords(pack: Package, part: string, what: string): Promise<string[]> {
  const written: string[] = [];
  const names = new Set<string>();
  let text = '';
  let cached = false;
  let inText = false;
  await readXml(
    await pack.stream(part),
    {
      open({ name }) {
        if (name === 'strCache') cached = true;
        inText = name === 't' || (cached && name === 'v');
        if (name === 'p' || (cached && name === 'v')) text = '';
        else if (name === 'br') text += ' ';
      },
      text(piece) {
        if (inText) text += piece;
      },
      close(name) {
        inText = false;
        const words = text.replace(/\s+/g, ' ').trim();
        if (name === 'strCache') cached = false;
        else if (name === 'p' && words !== '' && written.length < MOST_WORDS) written.push(words);
        else if (cached && name === 'v' && words !== '' && names.size < MOST_WORDS) names.add(words);
      },
    },
    what,
  );
  return [...written, ...names];
}
