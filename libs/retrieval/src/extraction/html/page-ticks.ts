import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };
import type { AnyNode, Element } from 'domhandler' with { 'resolution-mode': 'import' };

/** What says in words what a box in it means. */
const LABELLED = /^(?:li|p|dd|dt|td|th)$/;
/** What has words of a line: a box means those beside it, whatever both are in. */
const IN_LINE = /^(?:span|label|b|i|em|strong|small|font|u)$/;
const BOX = /^(?:checkbox|radio)$/i;

/** Writes ticks as signs where words are beside them; a box alone, as behind a menu, is no text. */
export function writeTicks($: CheerioAPI): void {
  const labels = new Set<string>();
  $('label[for]').each((_, label) => {
    if ($(label).text().trim() !== '') labels.add(label.attribs['for'] ?? '');
  });
  // That of no box in particular.
  labels.delete('');
  // Found once for each element: there may be thousands of boxes in it.
  const known = new Map<AnyNode, boolean>();
  const hasWords = (node: AnyNode): boolean => {
    const has = known.get(node) ?? $(node).text().trim() !== '';
    known.set(node, has);
    return has;
  };
  const isLabelled = (box: Element): boolean => {
    const { parent } = box;
    const label = $(box).closest('label').get(0);
    return (
      labels.has(box.attribs['id'] ?? '') ||
      (label !== undefined && hasWords(label)) ||
      (parent !== null && 'name' in parent && LABELLED.test(parent.name) && hasWords(parent)) ||
      [besideOf(box, 'prev'), besideOf(box, 'next')].some((node) => node !== null && isInLine(node) && hasWords(node))
    );
  };
  // All of them before any is written: a tick is no word beside the next one.
  const boxes = $('input')
    .toArray()
    .filter((box) => BOX.test(box.attribs['type'] ?? '') && isLabelled(box));
  for (const box of boxes) $(box).replaceWith(box.attribs['checked'] === undefined ? '[ ] ' : '[x] ');
}

/** What is in front of a box or behind it, past blanks and comments. */
function besideOf(box: Element, side: 'prev' | 'next'): AnyNode | null {
  let node: AnyNode | null = box[side];
  while (node && 'data' in node && (!isText(node) || node.data.trim() === '')) node = node[side];
  return node;
}

const isText = (node: AnyNode): boolean => String(node.type) === 'text';

/** A label that names a box is for that one. */
const isInLine = (node: AnyNode): boolean =>
  'attribs' in node ? IN_LINE.test(node.name) && node.attribs['for'] === undefined : isText(node);
