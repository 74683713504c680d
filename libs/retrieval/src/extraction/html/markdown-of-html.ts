import { loweredText, raisedText } from '@atrium/platform/kernel';
import type TurndownService from 'turndown';
import {
  escapeLinkWords,
  escapeMarkdown,
  fenceFor,
  oneLine,
  safeAddress,
  withoutTrailingBlanks,
  withoutTrailingBreaks,
} from '../text/markdown-syntax';
import { Cells, type CellBreak } from './table-cells';

/** What the rules need of an element; the converter brings its own document. */
interface HtmlNode {
  readonly nodeName: string;
  readonly firstChild: HtmlNode | null;
  readonly parentNode: HtmlNode | null;
  readonly previousSibling: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

export interface MarkdownOptions {
  /** How paragraphs of one cell are parted. */
  readonly cellBreak?: CellBreak;
  /** A table with merged cells stays a table of HTML, with nothing but its cells; else their value is repeated. */
  readonly keepMerged?: boolean;
  /** Notes at the end of a document that its converter marks with these ids become footnotes. */
  readonly notes?: RegExp;
}

/** HTML that was cleaned as markdown. Nothing of the HTML itself stays, but tables where that is asked. */
export async function markdownOfHtml(html: string, options: MarkdownOptions = {}): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const { strikethrough, taskListItems, highlightedCodeBlock } = await import('@joplin/turndown-plugin-gfm');
  const service = new Turndown({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  service.use([strikethrough, taskListItems, highlightedCodeBlock]);
  service.escape = escapeMarkdown;
  addRules(service, options);
  return withoutTrailingBlanks(service.turndown(html))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function addRules(service: TurndownService, { notes, ...options }: MarkdownOptions): void {
  const cells = new Cells(options);
  const rule = (name: string, filter: (node: HtmlNode) => boolean, replacement: (content: string, node: HtmlNode) => string): void => {
    service.addRule(name, {
      filter: (node) => filter(node as HtmlNode),
      replacement: (content, node) => replacement(content, node as HtmlNode),
    });
  };
  rule('link', named('A'), (content, node) => linkOf(content, node.getAttribute('href') ?? ''));
  rule('picture', named('IMG'), (_, node) => pictureOf(node.getAttribute('alt') ?? '', node.getAttribute('src') ?? ''));
  rule('heading', named('H1', 'H2', 'H3', 'H4', 'H5', 'H6'), (content, { nodeName }) => headingOf(content, Number(nodeName[1])));
  rule(
    'code',
    (node) => node.nodeName === 'PRE',
    (_, node) => codeOf(node),
  );
  rule('cell', named('TD', 'TH'), (content, node) => cells.cell(content, node));
  rule('row', named('TR'), (content) => cells.row(content));
  rule('table', named('TABLE'), (content) => `\n\n${cells.table(content)}\n\n`);
  rule('caption', named('CAPTION'), (content) => (oneLine(content) === '' ? '' : cells.caption(oneLine(content))));
  rule('section', named('THEAD', 'TBODY', 'TFOOT', 'COLGROUP'), (content) => content);
  rule('raised', named('SUP'), (content, node) => raisedText(content, textBefore(node), textAfter(node)));
  rule('lowered', named('SUB'), (content, node) => loweredText(content, textBefore(node), textAfter(node)));
  rule('term', named('DT'), (content) => `\n\n**${oneLine(content)}**\n\n`);
  if (notes) addNoteRules(rule, notes);
}

/** References become `[^1]`, and the list at the end `[^1]: …`. */
function addNoteRules(
  rule: (name: string, filter: (node: HtmlNode) => boolean, replacement: (content: string, node: HtmlNode) => string) => void,
  notes: RegExp,
): void {
  const numbers = new Map<string, string>();
  const target = (node: HtmlNode): string => (node.nodeName === 'A' ? (node.getAttribute('href') ?? '').slice(1) : '');
  rule(
    'reference',
    (node) => notes.test(target(node)),
    (_, node) => {
      const number = oneLine(node.textContent ?? '').replace(/\D/g, '');
      numbers.set(target(node), number);
      return `[^${number}]`;
    },
  );
  rule(
    'way-back',
    (node) => node.nodeName === 'A' && /^↑/.test(node.textContent ?? ''),
    () => '',
  );
  rule(
    'note',
    (node) => node.nodeName === 'LI' && notes.test(node.getAttribute('id') ?? ''),
    (content, node) => `\n\n[^${numbers.get(node.getAttribute('id') ?? '') ?? '?'}]: ${oneLine(content)}\n\n`,
  );
}

const named =
  (...names: readonly string[]) =>
  ({ nodeName }: HtmlNode): boolean =>
    names.includes(nodeName);

/** Characters beside a raised or lowered text that say what it is. */
const BESIDE = 8;

const textBefore = ({ previousSibling, parentNode }: HtmlNode): string =>
  (previousSibling ?? (isInLine(parentNode) ? parentNode.previousSibling : null))?.textContent?.slice(-BESIDE) ?? '';

function textAfter({ nextSibling, parentNode }: HtmlNode): string {
  const next = nextSibling ?? (isInLine(parentNode) ? parentNode.nextSibling : null);
  return isShifted(next) ? '' : (next?.textContent?.slice(0, BESIDE) ?? '');
}

/** What is raised behind what is lowered, or the other way around, is no text that goes on. */
const isShifted = (node: HtmlNode | null): boolean =>
  node !== null && (/^SU[BP]$/.test(node.nodeName) || (isInLine(node) && isShifted(node.firstChild)));

const isInLine = (node: HtmlNode | null): node is HtmlNode => node !== null && /^(?:SPAN|B|I|EM|STRONG|A|FONT|U)$/.test(node.nodeName);

function linkOf(content: string, href: string): string {
  const words = content.replace(/\n+/g, ' ');
  const address = safeAddress(href);
  if (address === undefined || words.trim() === '') return words;
  return `[${escapeLinkWords(words.trim())}](${address})`;
}

function pictureOf(alt: string, source: string): string {
  const words = oneLine(alt).replace(/[[\]]/g, '');
  return words === '' ? '' : `![${escapeMarkdown(words)}](${safeAddress(source) ?? ''})`;
}

function headingOf(content: string, level: number): string {
  // Behind its marks, a number begins no list.
  const words = oneLine(content).replace(/^(\d{1,9})\\(?=[.)]\s)/, '$1');
  return words === '' ? '' : `\n\n${'#'.repeat(level)} ${words}\n\n`;
}

function codeOf(node: HtmlNode): string {
  const language =
    /\b(?:language|lang)-([\w+#-]+)/.exec(`${node.getAttribute('class') ?? ''} ${node.firstChild?.getAttribute?.('class') ?? ''}`)?.[1] ??
    '';
  const text = withoutTrailingBreaks((node.textContent ?? '').replace(/^\n/, ''));
  const fence = fenceFor(text.matchAll(/(`{3,})/g));
  return text.trim() === '' ? '' : `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
}
