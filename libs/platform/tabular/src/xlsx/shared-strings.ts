import type { Package } from '../package';
import { expandsBeyondLimit } from '../problems';
import { readXml } from '../xml-events';

/** What a text costs beside its characters: a workbook may name millions of empty ones. */
const EACH = 16;

/** The texts that cells of a workbook share, by their number. Phonetic readings are left out. */
export async function sharedStrings(pack: Package, part: string, most: number, what: string): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let size = 0;
  let inText = false;
  let phonetic = 0;
  const count = (more: number): void => {
    size += more;
    if (size > most) throw expandsBeyondLimit(what);
  };
  await readXml(
    await pack.stream(part),
    {
      open({ name }) {
        if (name === 'si') {
          text = '';
          count(EACH);
        } else if (name === 'rPh') phonetic++;
        else if (name === 't') inText = phonetic === 0;
      },
      text(piece) {
        if (!inText) return;
        count(piece.length);
        text += piece;
      },
      close(name) {
        if (name === 't') inText = false;
        else if (name === 'rPh') phonetic--;
        else if (name === 'si') texts.push(unescaped(text));
      },
    },
    what,
  );
  return texts;
}

/** Characters that XML cannot hold stand as `_x000D_`; a line break of Windows is one line break. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).replace(/\r\n?/g, '\n')
    : text;
