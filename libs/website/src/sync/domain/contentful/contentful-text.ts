import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { textAlone } from '../doc-blocks';
import { sameJson, textOf } from '../form-config';

/** What a text links to, turned by its page: embedded blocks and assets. */
export interface TextLinks {
  /** The block of an embedded entry; undefined where it is none. */
  readonly readBlock: (id: string, place: string) => JsonObject | undefined;
  readonly readAsset: (id: string) => JsonObject | undefined;
}

const NODES: Readonly<Record<string, string>> = {
  paragraph: 'paragraph',
  'unordered-list': 'bullet_list',
  'ordered-list': 'ordered_list',
  'list-item': 'list_item',
  blockquote: 'blockquote',
  hr: 'horizontal_rule',
  table: 'table',
  'table-row': 'table_row',
  'table-cell': 'table_cell',
  'table-header-cell': 'table_header',
};
const REMOTE_NODES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(NODES).map(([remote, node]) => [node, remote]));
const MARKS: Readonly<Record<string, string>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  code: 'code',
  superscript: 'superscript',
  subscript: 'subscript',
  strikethrough: 'strike',
};
const REMOTE_MARKS: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(MARKS).map(([remote, mark]) => [mark, remote]));

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);
const ownOf = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

const linkTo = (linkType: string, id: string): JsonObject => ({ sys: { type: 'Link', linkType, id } });
const targetOf = (data: JsonValue | undefined): JsonObject => objectOf(objectOf(objectOf(data)['target'])['sys']);

const foreign = (value: JsonValue): JsonObject => ({ type: 'foreign', attrs: { provider: 'contentful', value } });

/** Rich text of Contentful as `doc`; nodes without an equivalent are `foreign` and keep their source. */
export function toDoc(value: JsonObject, links: TextLinks, place: string): JsonObject {
  return { type: 'doc', content: toNodes(listOf(value['content']), links, place) };
}

function toNodes(nodes: readonly JsonValue[], links: TextLinks, place: string): readonly JsonObject[] {
  return nodes.flatMap((node, at) => toNode(node, links, `${place}[${at}]`));
}

function toNode(node: JsonValue, links: TextLinks, place: string): readonly JsonObject[] {
  if (!isObject(node)) return [foreign(node)];
  const type = textOf(node['nodeType']);
  if (type === 'text') return toText(node);
  if (type === 'hyperlink' || type === 'entry-hyperlink' || type === 'asset-hyperlink') return toLinked(node, type);
  const [, level] = /^heading-([1-6])$/.exec(type) ?? [];
  const inner = toNodes(listOf(node['content']), links, place);
  if (level !== undefined) return [{ type: 'heading', attrs: { level: Number(level) }, content: inner }];
  const { id, linkType } = targetOf(node['data']);
  if (type === 'embedded-entry-block' && linkType === 'Entry') {
    const block = links.readBlock(textOf(id), place);
    return [block ? { type: 'blok', attrs: { body: [block] } } : foreign(node)];
  }
  if (type === 'embedded-asset-block' && linkType === 'Asset') {
    const asset = links.readAsset(textOf(id));
    return [
      asset
        ? {
            type: 'image',
            attrs: { src: asset['url'] ?? '', alt: asset['alt'] ?? null, title: asset['title'] ?? null, source: textOf(id) },
          }
        : foreign(node),
    ];
  }
  const neutral = ownOf(NODES, type);
  if (neutral === undefined) return [foreign(node)];
  return [neutral === 'horizontal_rule' ? { type: neutral } : { type: neutral, content: inner }];
}

/** A text, with its line breaks as nodes; an empty one is none here. */
function toText(node: JsonObject, link?: JsonObject): readonly JsonObject[] {
  const given = listOf(node['marks']).map((mark) => ownOf(MARKS, textOf(objectOf(mark)['type'])));
  if (given.includes(undefined)) return [foreign(node)];
  const marks = [...given.map((type) => ({ type: type ?? '' })), ...(link ? [link] : [])];
  const parts = textOf(node['value']).split('\n');
  return parts.flatMap((text, at) => [
    ...(at > 0 ? [{ type: 'hard_break' }] : []),
    ...(text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 ? { marks } : {}) }]),
  ]);
}

function toLinked(node: JsonObject, type: string): readonly JsonObject[] {
  const { id } = targetOf(node['data']);
  const texts = listOf(node['content']);
  const attrs: JsonObject =
    type === 'hyperlink'
      ? { kind: 'url', href: textOf(objectOf(node['data'])['uri']) }
      : { kind: type === 'entry-hyperlink' ? 'page' : 'file', ref: textOf(id) };
  if (!texts.every((text) => isObject(text) && text['nodeType'] === 'text')) return [foreign(node)];
  return texts.filter(isObject).flatMap((text) => toText(text, { type: 'link', attrs }));
}

/** `doc` as rich text of Contentful. Where the text is the one that was read, its source is sent. Null: it cannot be written. */
export function fromDoc(
  doc: JsonObject,
  seen: { readonly raw: JsonValue | undefined; readonly neutral: JsonValue | undefined },
): JsonObject | string {
  if (isObject(seen.raw) && sameJson(textAlone(doc), textAlone(seen.neutral))) return seen.raw;
  const writer = new TextWriter();
  const content = writer.writeNodes(listOf(doc['content']));
  return writer.refused ?? { nodeType: 'document', data: {}, content };
}

/** Writes nodes; one that Contentful has no place for refuses the text. */
class TextWriter {
  refused: string | undefined;

  writeNodes(nodes: readonly JsonValue[]): readonly JsonObject[] {
    const written: JsonObject[] = [];
    for (let at = 0; at < nodes.length; at++) {
      const node = objectOf(nodes[at]);
      const link = linkOf(node);
      if (!link) {
        written.push(...this.writeNode(node));
        continue;
      }
      const linked = [node];
      while (sameJson(linkOf(objectOf(nodes[at + 1])), link)) linked.push(objectOf(nodes[++at]));
      written.push(this.writeLinked(link, linked));
    }
    return joined(written);
  }

  private writeNode(node: JsonObject): readonly JsonObject[] {
    const [type, attrs] = [textOf(node['type']), objectOf(node['attrs'])];
    if (type === 'text') return [this.writeText(node)];
    if (type === 'hard_break') return [{ nodeType: 'text', value: '\n', marks: [], data: {} }];
    if (type === 'foreign') return [objectOf(attrs['value'])];
    if (type === 'heading') return [this.holder(`heading-${Number(attrs['level'] ?? 1)}`, node)];
    if (type === 'blok')
      return listOf(attrs['body']).map((block) => embedded('embedded-entry-block', 'Entry', textOf(objectOf(block)['_uid'])));
    if (type === 'image' && textOf(attrs['source']) !== '') return [embedded('embedded-asset-block', 'Asset', textOf(attrs['source']))];
    const remote = ownOf(REMOTE_NODES, type);
    if (remote === undefined) return this.refuse(`Rich text of Contentful has no place for ${type}.`);
    return [this.holder(remote, node)];
  }

  private holder(nodeType: string, node: JsonObject): JsonObject {
    const content = this.writeNodes(listOf(node['content']));
    const needsText = nodeType === 'paragraph' || nodeType.startsWith('heading-');
    return {
      nodeType,
      data: {},
      content: needsText && content.length === 0 ? [{ nodeType: 'text', value: '', marks: [], data: {} }] : content,
    };
  }

  private writeText(node: JsonObject): JsonObject {
    const marks = listOf(node['marks'])
      .map((mark) => textOf(objectOf(mark)['type']))
      .filter((type) => type !== 'link')
      .map((type) => ({ type: ownOf(REMOTE_MARKS, type) ?? textOf(this.refuse(`Rich text of Contentful has no mark ${type}.`)[0]) }));
    return { nodeType: 'text', value: textOf(node['text']), marks, data: {} };
  }

  private writeLinked({ kind, ref, href }: JsonObject, texts: readonly JsonObject[]): JsonObject {
    const content = texts.map((text) => this.writeText(text));
    if (kind === 'page') return { nodeType: 'entry-hyperlink', data: { target: linkTo('Entry', textOf(ref)) }, content };
    if (kind === 'file') return { nodeType: 'asset-hyperlink', data: { target: linkTo('Asset', textOf(ref)) }, content };
    return { nodeType: 'hyperlink', data: { uri: textOf(href) }, content };
  }

  private refuse(reason: string): readonly JsonObject[] {
    this.refused ??= reason;
    return [];
  }
}

const embedded = (nodeType: string, linkType: string, id: string): JsonObject => ({
  nodeType,
  data: { target: linkTo(linkType, id) },
  content: [],
});

const linkOf = (node: JsonObject): JsonObject | undefined => {
  const mark = listOf(node['marks']).find((one) => objectOf(one)['type'] === 'link');
  return mark === undefined ? undefined : objectOf(objectOf(mark)['attrs']);
};

/** Neighbours that are texts with the same marks are one text. */
function joined(nodes: readonly JsonObject[]): readonly JsonObject[] {
  const result: JsonObject[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const isSame =
      last?.['nodeType'] === 'text' && node['nodeType'] === 'text' && (sameJson(last['marks'], node['marks']) || node['value'] === '\n');
    if (last && isSame) result[result.length - 1] = { ...last, value: textOf(last['value']) + textOf(node['value']) };
    else result.push(node);
  }
  return result;
}
