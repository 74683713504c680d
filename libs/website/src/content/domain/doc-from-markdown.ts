import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { isEmail, isSafeUrl } from './safe-url';

/** Markdown that becomes a document; longer ones would be refused as documents anyway. */
export const MOST_MARKDOWN_CHARACTERS = 200_000;
/** Levels of lists and quotes that are read; deeper ones lose their level. */
const DEEPEST = 8;
const LANGUAGE = /^[A-Za-z0-9+#._-]{1,40}$/;

/** The document of a parsed markdown text. HTML in it is text. */
export const docOfMarkdown = (children: readonly RootContent[]): JsonObject => ({
  type: 'doc',
  content: children.flatMap((node) => blocksOf(node, 1)),
});

function blocksOf(node: RootContent, depth: number): JsonObject[] {
  if (depth > DEEPEST && 'children' in node) return node.children.flatMap((child) => blocksOf(child, isBlockNode(child) ? depth : DEEPEST));
  switch (node.type) {
    case 'paragraph':
      return paragraph(node.children);
    case 'heading':
      return [{ type: 'heading', attrs: { level: node.depth }, content: inlineOf(node.children) }];
    case 'blockquote':
      return [{ type: 'blockquote', content: node.children.flatMap((child) => blocksOf(child, depth + 1)) }];
    case 'list': {
      const content = node.children.map((item): JsonObject => ({
        type: 'list_item',
        content: item.children.flatMap((child) => blocksOf(child, depth + 1)),
      }));
      if (!node.ordered) return [{ type: 'bullet_list', content }];
      const order = node.start ?? 1;
      return [order === 1 ? { type: 'ordered_list', content } : { type: 'ordered_list', attrs: { order }, content }];
    }
    case 'code': {
      const language = node.lang ?? '';
      const content = textOf(node.value);
      return [LANGUAGE.test(language) ? { type: 'code_block', attrs: { language }, content } : { type: 'code_block', content }];
    }
    case 'thematicBreak':
      return [{ type: 'horizontal_rule' }];
    case 'table':
      return [tableOf(node)];
    case 'html':
      return textOf(node.value).map((text) => ({ type: 'paragraph', content: [text] }));
    default:
      return isPhrasing(node) ? paragraph([node]) : [];
  }
}

const isBlockNode = ({ type }: Nodes): boolean => ['blockquote', 'list', 'listItem'].includes(type);

const PHRASING: ReadonlySet<string> = new Set(['text', 'emphasis', 'strong', 'delete', 'inlineCode', 'break', 'link', 'image']);
const isPhrasing = (node: RootContent): node is PhrasingContent => PHRASING.has(node.type);

const paragraph = (children: readonly PhrasingContent[]): JsonObject[] => {
  const content = inlineOf(children);
  return content.length === 0 ? [] : [{ type: 'paragraph', content }];
};

const tableOf = ({ children }: Table): JsonObject => ({
  type: 'table',
  content: children.map((row, at) => ({
    type: 'table_row',
    content: row.children.map((cell) => ({ type: at === 0 ? 'table_header' : 'table_cell', content: paragraph(cell.children) })),
  })),
});

const textOf = (text: string, marks: readonly JsonObject[] = []): JsonObject[] =>
  text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 ? { marks } : {}) }];

const withMark = (marks: readonly JsonObject[], mark: JsonObject): readonly JsonObject[] =>
  marks.some(({ type }) => type === mark.type) ? marks : [...marks, mark];

function inlineOf(children: readonly PhrasingContent[], marks: readonly JsonObject[] = []): JsonObject[] {
  return children.flatMap((node): JsonObject[] => {
    switch (node.type) {
      case 'text':
        return textOf(node.value.replaceAll('\n', ' '), marks);
      case 'emphasis':
        return inlineOf(node.children, withMark(marks, { type: 'italic' }));
      case 'strong':
        return inlineOf(node.children, withMark(marks, { type: 'bold' }));
      case 'delete':
        return inlineOf(node.children, withMark(marks, { type: 'strike' }));
      case 'inlineCode':
        return textOf(node.value, withMark(marks, { type: 'code' }));
      case 'html':
        return textOf(node.value, marks);
      case 'break':
        return [{ type: 'hard_break' }];
      case 'link': {
        const attrs = linkAttrs(node.url, node.title);
        return inlineOf(node.children, attrs ? withMark(marks, { type: 'link', attrs }) : marks);
      }
      case 'image':
        return isSafeUrl(node.url, ['https'])
          ? [{ type: 'image', attrs: { url: node.url, ...(node.alt ? { alt: node.alt.slice(0, 1_000) } : {}) } }]
          : textOf(node.alt ?? '', marks);
      default:
        return [];
    }
  });
}

/** A link that the document may have; null for schemes that it refuses, whose words stay. */
function linkAttrs(url: string, title?: string | null): JsonObject | null {
  const said: Record<string, JsonValue> = title ? { title: title.slice(0, 255) } : {};
  if (url.startsWith('mailto:'))
    return isEmail(url.slice('mailto:'.length)) ? { kind: 'email', url: url.slice('mailto:'.length), ...said } : null;
  return isSafeUrl(url) ? { kind: 'url', url, ...said } : null;
}
