import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { listOf, ownField } from './content-form';
import { attrsOf, childrenOf, marksOf, type DocNode } from './doc';
import { isAnchor, isEmail, isSafeUrl } from './safe-url';

export interface HtmlOptions {
  /** The HTML of a block within the document; without it such blocks are left out. */
  readonly blok?: (block: JsonObject) => string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

/** Tags of marks without attributes. */
const MARK_TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bold: 'strong',
    italic: 'em',
    underline: 'u',
    strike: 's',
    code: 'code',
    superscript: 'sup',
    subscript: 'sub',
  }),
);
/** Tags of nodes that wrap their content. */
const NODE_TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    paragraph: 'p',
    bullet_list: 'ul',
    ordered_list: 'ol',
    list_item: 'li',
    blockquote: 'blockquote',
    table_row: 'tr',
    table_cell: 'td',
    table_header: 'th',
  }),
);

/** A stored document as HTML: tags and attributes of a closed set, everything else escaped. Links and images need a `url`; without one only their words remain. */
export function docHtml(doc: JsonValue, options: HtmlOptions = {}): string {
  return childrenOf(doc)
    .map((node) => nodeHtml(node, options))
    .join('');
}

function nodeHtml(node: DocNode, options: HtmlOptions): string {
  const attrs = attrsOf(node);
  const inside = (): string => docHtml(node, options);
  switch (node.type) {
    case 'text':
      return textHtml(node);
    case 'heading':
      return tag(`h${headingLevel(attrs)}`, alignment(attrs), inside());
    case 'code_block':
      return `<pre>${tag('code', typeof attrs.language === 'string' ? { class: `language-${attrs.language}` } : {}, inside())}</pre>`;
    case 'horizontal_rule':
      return '<hr>';
    case 'hard_break':
      return '<br>';
    case 'image':
      return imageHtml(attrs);
    case 'table':
      return `<table><tbody>${inside()}</tbody></table>`;
    case 'blok':
      return listOf(ownField(attrs, 'body'))
        .filter(isObject)
        .map((block) => options.blok?.(block) ?? '')
        .join('');
    case 'paragraph':
      return tag('p', alignment(attrs), inside());
    default: {
      const name = NODE_TAGS.get(node.type);
      return name === undefined ? '' : tag(name, nodeAttributes(node.type, attrs), inside());
    }
  }
}

type Attributes = Readonly<Record<string, string>>;

const tag = (name: string, attributes: Attributes, inside: string): string => `<${name}${written(attributes)}>${inside}</${name}>`;

const written = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
    .join('');

const headingLevel = ({ level }: JsonObject): number => (typeof level === 'number' && level >= 1 && level <= 6 ? Math.floor(level) : 2);

const alignment = ({ text_align }: JsonObject): Attributes =>
  text_align === 'center' || text_align === 'right' || text_align === 'justify' ? { style: `text-align: ${text_align}` } : {};

function nodeAttributes(type: string, { order, colspan, rowspan }: JsonObject): Attributes {
  if (type === 'ordered_list') return typeof order === 'number' && order !== 1 ? { start: String(order) } : {};
  if (type !== 'table_cell' && type !== 'table_header') return {};
  return {
    ...(typeof colspan === 'number' && colspan > 1 ? { colspan: String(colspan) } : {}),
    ...(typeof rowspan === 'number' && rowspan > 1 ? { rowspan: String(rowspan) } : {}),
  };
}

function imageHtml({ url, alt, title, width, height }: JsonObject): string {
  if (typeof url !== 'string' || !isLinkable(url)) return '';
  const size = Object.entries({ width, height }).flatMap(([key, value]) => (typeof value === 'number' ? [[key, String(value)]] : []));
  const attributes = {
    src: url,
    alt: typeof alt === 'string' ? alt : '',
    ...(typeof title === 'string' ? { title } : {}),
    ...Object.fromEntries<string>(size.map(([key = '', value = '']) => [key, value])),
  };
  return `<img${written(attributes)}>`;
}

function textHtml(node: DocNode): string {
  const text = typeof node.text === 'string' ? escapeHtml(node.text) : '';
  return marksOf(node).reduceRight((inside, mark) => markHtml(mark, inside), text);
}

function markHtml(mark: DocNode, inside: string): string {
  const attrs = attrsOf(mark);
  const name = MARK_TAGS.get(mark.type);
  if (name !== undefined) return tag(name, {}, inside);
  switch (mark.type) {
    case 'highlight':
      return tag('mark', color(attrs, 'background-color'), inside);
    case 'text_style':
      return tag('span', color(attrs, 'color'), inside);
    case 'anchor':
      return typeof attrs.id === 'string' && isAnchor(attrs.id) ? tag('span', { id: attrs.id }, inside) : inside;
    case 'link':
      return linkHtml(attrs, inside);
    default:
      return inside;
  }
}

const COLOR = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/;
const color = ({ color: value }: JsonObject, property: string): Attributes =>
  typeof value === 'string' && COLOR.test(value) ? { style: `${property}: ${value}` } : {};

function linkHtml(attrs: JsonObject, inside: string): string {
  const href = hrefOf(attrs);
  if (href === null) return inside;
  const { target, title, kind } = attrs;
  const attributes = {
    href,
    ...(target === '_blank' ? { target } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(target === '_blank' || kind === 'url' ? { rel: 'noopener noreferrer' } : {}),
  };
  return tag('a', attributes, inside);
}

/** Where a link leads, with what the delivery has written into its `url`; null where it leads nowhere. */
function hrefOf({ kind, url, anchor }: JsonObject): string | null {
  const place = typeof anchor === 'string' && isAnchor(anchor) ? `#${encodeURIComponent(anchor)}` : '';
  if (kind === 'anchor') return place || null;
  if (typeof url !== 'string') return null;
  if (kind === 'email') return isEmail(url) ? `mailto:${url}` : null;
  return isLinkable(url) ? `${url}${url.includes('#') ? '' : place}` : null;
}

/** An absolute address of the web, or a path of this site; `//host` would be another site. */
const isLinkable = (url: string): boolean => isSafeUrl(url) || (/^\/(?![/\\])/.test(url) && isSafeUrl(`https://site.invalid${url}`));
