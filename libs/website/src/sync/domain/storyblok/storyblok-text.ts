import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { textAlone } from '../doc-blocks';
import { sameJson } from '../form-config';

/** Turns the blocks that a text embeds. */
export type TurnBlocks = (blocks: readonly JsonValue[], place: string) => readonly JsonValue[];

const NODES: Readonly<Record<string, string>> = {
  paragraph: 'paragraph',
  heading: 'heading',
  bullet_list: 'bullet_list',
  ordered_list: 'ordered_list',
  list_item: 'list_item',
  blockquote: 'blockquote',
  code_block: 'code_block',
  horizontal_rule: 'horizontal_rule',
  hard_break: 'hard_break',
  image: 'image',
  table: 'table',
  tableRow: 'table_row',
  tableCell: 'table_cell',
  tableHeader: 'table_header',
  text: 'text',
};
const MARKS: Readonly<Record<string, string>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strike: 'strike',
  code: 'code',
  superscript: 'superscript',
  subscript: 'subscript',
  highlight: 'highlight',
  textStyle: 'text_style',
  link: 'link',
  anchor: 'anchor',
};
const swapped = (names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(names).map(([remote, neutral]) => [neutral, remote]));
const REMOTE_NODES = swapped(NODES);
const REMOTE_MARKS = swapped(MARKS);
const NODE_KEYS = ['type', 'attrs', 'content', 'marks', 'text'];
const LINK_KINDS: Readonly<Record<string, string>> = { story: 'page', url: 'url', email: 'email', asset: 'file' };
const REMOTE_KINDS = swapped(LINK_KINDS);

const listIn = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);
const named = (names: Readonly<Record<string, string>>, name: JsonValue | undefined): string | undefined =>
  typeof name === 'string' && Object.hasOwn(names, name) ? names[name] : undefined;

/** Rich text of Storyblok as `doc`; nodes without an equivalent are `foreign` and keep their source. */
export function toDoc(value: JsonObject, turn: TurnBlocks, place: string): JsonObject {
  const content = listIn(value['content']).map((node, at) => toNode(node, turn, `${place}.content[${at}]`));
  return { type: 'doc', content };
}

const foreign = (value: JsonValue): JsonObject => ({ type: 'foreign', attrs: { provider: 'storyblok', value } });

function toNode(node: JsonValue, turn: TurnBlocks, place: string): JsonValue {
  if (!isObject(node)) return foreign(node);
  if (node['type'] === 'blok') return toBlok(node, turn, place);
  const type = named(NODES, node['type']);
  const marks = listIn(node['marks']).map(toMark);
  const isWhole = Object.keys(node).every((key) => NODE_KEYS.includes(key)) && (node['attrs'] === undefined || isObject(node['attrs']));
  if (type === undefined || !isWhole || marks.some((mark) => mark === null)) return foreign(node);
  return {
    type,
    ...('attrs' in node ? { attrs: node['attrs'] } : {}),
    ...('text' in node ? { text: node['text'] } : {}),
    ...('marks' in node ? { marks: marks } : {}),
    ...('content' in node ? { content: listIn(node['content']).map((inner, at) => toNode(inner, turn, `${place}.content[${at}]`)) } : {}),
  };
}

function toBlok(node: JsonObject, turn: TurnBlocks, place: string): JsonObject {
  const attrs = isObject(node['attrs']) ? node['attrs'] : {};
  return { type: 'blok', attrs: { ...attrs, body: turn(listIn(attrs['body']), `${place}.body`) } };
}

/** Null for a mark that has no equivalent. */
function toMark(mark: JsonValue): JsonObject | null {
  if (!isObject(mark)) return null;
  const type = named(MARKS, mark['type']);
  if (type === undefined) return null;
  if (type !== 'link') return { ...mark, type };
  const attrs = isObject(mark['attrs']) ? mark['attrs'] : {};
  const kind = named(LINK_KINDS, attrs['linktype'] ?? 'url');
  if (kind === undefined) return null;
  const { uuid, linktype: _linktype, ...rest } = attrs;
  return {
    ...mark,
    type,
    attrs: { ...rest, kind, ...(kind === 'page' && typeof uuid === 'string' ? { ref: uuid } : uuid === undefined ? {} : { uuid }) },
  };
}

/** `doc` as rich text of Storyblok. Where the text is the one that was read, its source is sent with the blocks in it. */
export function fromDoc(
  doc: JsonObject,
  seen: { readonly raw: JsonValue | undefined; readonly neutral: JsonValue | undefined },
  turn: TurnBlocks,
): JsonValue {
  if (isObject(seen.raw) && sameJson(textAlone(doc), textAlone(seen.neutral))) return withBodies(seen.raw, doc, turn);
  return { type: 'doc', content: listIn(doc['content']).map((node) => fromNode(node, turn)) };
}

/** The source of a text, with the blocks in it turned from those of the text. */
function withBodies(raw: JsonValue, neutral: JsonValue | undefined, turn: TurnBlocks): JsonValue {
  if (!isObject(raw) || !isObject(neutral)) return raw;
  if (raw['type'] === 'blok') {
    const [attrs, now] = [isObject(raw['attrs']) ? raw['attrs'] : {}, isObject(neutral['attrs']) ? neutral['attrs'] : {}];
    return 'body' in attrs ? { ...raw, attrs: { ...attrs, body: turn(listIn(now['body']), '') } } : raw;
  }
  if (!Array.isArray(raw['content'])) return raw;
  const inner = listIn(neutral['content']);
  return { ...raw, content: listIn(raw['content']).map((node, at) => withBodies(node, inner[at], turn)) };
}

function fromNode(node: JsonValue, turn: TurnBlocks): JsonValue {
  if (!isObject(node)) return node;
  const attrs = isObject(node['attrs']) ? node['attrs'] : {};
  if (node['type'] === 'foreign') return attrs['value'] === undefined ? { type: 'paragraph' } : attrs['value'];
  if (node['type'] === 'blok') return { type: 'blok', attrs: { ...attrs, body: turn(listIn(attrs['body']), '') } };
  return {
    ...node,
    type: named(REMOTE_NODES, node['type']) ?? 'paragraph',
    ...('marks' in node ? { marks: listIn(node['marks']).map(fromMark) } : {}),
    ...('content' in node ? { content: listIn(node['content']).map((inner) => fromNode(inner, turn)) } : {}),
  };
}

function fromMark(mark: JsonValue): JsonValue {
  if (!isObject(mark)) return mark;
  const type = named(REMOTE_MARKS, mark['type']) ?? 'bold';
  if (type !== 'link') return { ...mark, type };
  const { kind, ref, ...rest } = isObject(mark['attrs']) ? mark['attrs'] : {};
  const linktype = named(REMOTE_KINDS, kind) ?? 'url';
  return { ...mark, type, attrs: { ...rest, ...(ref === undefined ? {} : { uuid: ref }), linktype } };
}
