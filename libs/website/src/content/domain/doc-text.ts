import { type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { assetText } from './asset';
import { attrsOf, childrenOf, marksOf, type DocNode } from './doc';

/** Nodes that stay within the line of their parent. */
const INLINE: ReadonlySet<string> = new Set(['text', 'hard_break', 'foreign']);

/** The words of a stored document, a line for each paragraph, heading, item and cell. Blocks in it say their own words. */
export function docText(doc: JsonValue): string {
  return linesOf(doc)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function linesOf(node: JsonValue): string[] {
  const lines: string[] = [];
  let line = '';
  for (const child of childrenOf(node)) {
    if (child.type === 'image') line += ` ${assetText(attrsOf(child)).replaceAll('\n', ' ')} `;
    else if (INLINE.has(child.type)) line += child.type === 'text' && typeof child.text === 'string' ? child.text : ' ';
    else {
      lines.push(line, ...linesOf(child));
      line = '';
    }
  }
  lines.push(line);
  return lines;
}

/** A stored document as markdown, for readers without a screen. What markdown cannot say is written as its words. */
export function docMarkdown(doc: JsonValue): string {
  return blocksOf(doc).join('\n\n');
}

function blocksOf(parent: JsonValue): string[] {
  return childrenOf(parent)
    .map(blockMarkdown)
    .filter((block) => block !== '');
}

function blockMarkdown(node: DocNode): string {
  const attrs = attrsOf(node);
  switch (node.type) {
    case 'paragraph':
      return inlineMarkdown(node);
    case 'heading':
      return `${'#'.repeat(typeof attrs.level === 'number' ? attrs.level : 2)} ${inlineMarkdown(node).replaceAll('\n', ' ')}`;
    case 'bullet_list':
      return listMarkdown(node, () => '- ');
    case 'ordered_list': {
      const first = typeof attrs.order === 'number' ? attrs.order : 1;
      return listMarkdown(node, (at) => `${first + at}. `);
    }
    case 'blockquote':
      return indented(blocksOf(node).join('\n\n'), '> ', '> ');
    case 'code_block':
      return codeMarkdown(node, typeof attrs.language === 'string' ? attrs.language : '');
    case 'horizontal_rule':
      return '---';
    case 'image':
      return imageMarkdown(attrs);
    case 'table':
      return tableMarkdown(node);
    default:
      return '';
  }
}

const listMarkdown = (node: DocNode, sign: (at: number) => string): string =>
  childrenOf(node)
    .map((item, at) => indented(blocksOf(item).join('\n\n'), sign(at), ' '.repeat(sign(at).length)))
    .join('\n');

const indented = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, at) => `${at === 0 ? first : others}${line}`.trimEnd())
    .join('\n');

function codeMarkdown(node: DocNode, language: string): string {
  const code = childrenOf(node)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

function tableMarkdown(node: DocNode): string {
  const rows = childrenOf(node).map((row) => childrenOf(row).map((cell) => docText(cell).replaceAll('\n', ' ').replaceAll('|', '\\|')));
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const imageMarkdown = (attrs: JsonObject): string => {
  const words = assetText(attrs).split('\n')[0] ?? '';
  return typeof attrs.url === 'string' ? `![${escaped(words)}](${destination(attrs.url)})` : escaped(words);
};

function inlineMarkdown(node: DocNode): string {
  return childrenOf(node)
    .map((child) => {
      if (child.type === 'hard_break') return '\\\n';
      if (child.type === 'image') return imageMarkdown(attrsOf(child));
      return child.type === 'text' ? textMarkdown(child) : '';
    })
    .join('');
}

const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries({ bold: '**', italic: '*', strike: '~~' }));

function textMarkdown(node: DocNode): string {
  const text = typeof node.text === 'string' ? node.text : '';
  const marks = marksOf(node);
  const isCode = marks.some(({ type }) => type === 'code');
  const said = isCode ? codeSpan(text) : escaped(text);
  return marks.reduceRight((inside, mark) => {
    const sign = SIGNS.get(mark.type);
    if (sign !== undefined) return wrapped(inside, sign);
    const url = mark.type === 'link' ? attrsOf(mark).url : undefined;
    return typeof url === 'string' ? `[${inside}](${destination(url)})` : inside;
  }, said);
}

/** Signs of emphasis must touch the words they are about. */
function wrapped(text: string, sign: string): string {
  const words = text.trim();
  if (words === '') return text;
  const from = text.indexOf(words);
  return `${text.slice(0, from)}${sign}${words}${sign}${text.slice(from + words.length)}`;
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`).replace(/^( {0,3}\d{0,9})([-+.)])(?=\s)/gm, '$1\\$2');

const destination = (url: string): string => (/[()\s<>]/.test(url) ? `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` : url);
