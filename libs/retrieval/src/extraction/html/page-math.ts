import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };
import type { AnyNode, Element } from 'domhandler' with { 'resolution-mode': 'import' };
import { lineOfMath, MATH_TOKENS, type MathPart } from '../text/mathml';
import { htmlText } from './html-pieces';

/** Also with the prefixes that books have. */
const MATH = 'math,m\\:math,mml\\:math';

/** Elements and comments without text that are passed to find the text beside an equation. */
const MOST_STEPS = 8;

/** Writes equations as lines of text in their places, so that a fraction or a power is no number of more digits. */
export function writeMath($: CheerioAPI): void {
  $(MATH).each((_, element) => {
    const line = lineOfMath(partOf($, element));
    const isBlock = element.attribs['display'] === 'block';
    const [before, behind] = [
      isBlock || (/^\d/.test(line) && /\d/.test(signBeside(element, 'prev'))),
      isBlock || (/\d$/.test(line) && /\d/.test(signBeside(element, 'next'))),
    ];
    $(element).replaceWith(`${before ? ' ' : ''}${htmlText(line)}${behind ? ' ' : ''}`);
  });
}

/** The sign in front of an element or behind it, past the ends of what it is in: numbers of an equation do not go on there. */
function signBeside(element: Element, side: 'prev' | 'next'): string {
  let node: AnyNode | null = element;
  for (let step = 0; node && step < MOST_STEPS; step++) {
    const beside: AnyNode | null = node[side];
    const sign: string = beside ? edgeOf(beside, side) : '';
    if (sign !== '') return sign;
    node = beside ?? (node.parent && 'name' in node.parent ? node.parent : null);
  }
  return '';
}

/** The end of a node that is nearest to what it is beside. */
function edgeOf(node: AnyNode, side: 'prev' | 'next'): string {
  let edge: AnyNode | undefined = node;
  while (edge && 'children' in edge) edge = edge.children.at(side === 'prev' ? -1 : 0);
  if (!edge || String(edge.type) !== 'text' || !('data' in edge)) return '';
  return side === 'prev' ? edge.data.slice(-1) : edge.data.slice(0, 1);
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
