import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };
import type { AnyNode, Element } from 'domhandler' with { 'resolution-mode': 'import' };
import { lineOfMath, MATH_TOKENS, type MathPart } from '../text/mathml';
import { htmlText } from './html-pieces';

/** Also with the prefixes that books have. */
const MATH = 'math,m\\:math,mml\\:math';

/** Writes equations as lines of text in their places, so that a fraction or a power is no number of more digits. */
export function writeMath($: CheerioAPI): void {
  $(MATH).each((_, element) => {
    const line = htmlText(lineOfMath(partOf($, element)));
    $(element).replaceWith(element.attribs['display'] === 'block' ? ` ${line} ` : line);
  });
}

function partOf($: CheerioAPI, element: Element): MathPart {
  const name = element.name.replace(/^.*:/, '').toLowerCase();
  const isToken = MATH_TOKENS.has(name);
  return {
    name,
    parts: isToken ? [] : element.children.flatMap((child) => childOf($, child)),
    text: isToken ? $(element).text() : '',
    attribute: (key) => element.attribs[key],
  };
}

function childOf($: CheerioAPI, child: AnyNode): MathPart[] {
  if ('attribs' in child) return [partOf($, child)];
  return String(child.type) === 'text' && 'data' in child
    ? [{ name: '#text', parts: [], text: child.data, attribute: () => undefined }]
    : [];
}
