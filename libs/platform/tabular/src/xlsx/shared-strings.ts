import type { Package } from '../package';
import { expandsBeyondLimit } from '../problems';
import { readXml } from '../xml-events';
import { RichText } from './rich-text';

/** What a text costs beside its characters: a workbook may name millions of empty ones. */
const EACH = 16;

/** The texts that cells of a workbook share, by their number. */
export async function sharedStrings(pack: Package, part: string, most: number, what: string): Promise<string[]> {
  const texts: string[] = [];
  let text = new RichText();
  let size = 0;
  const count = (more: number): void => {
    size += more;
    if (size > most) throw expandsBeyondLimit(what);
  };
  await readXml(
    await pack.stream(part),
    {
      open(element) {
        if (element.name === 'si') {
          text = new RichText();
          count(EACH);
        } else text.open(element);
      },
      text(piece) {
        if (text.text(piece)) count(piece.length);
      },
      close(name) {
        if (name === 'si') texts.push(text.end());
        else text.close(name);
      },
    },
    what,
  );
  return texts;
}
