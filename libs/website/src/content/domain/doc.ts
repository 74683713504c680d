import { isObject, nestsDeeper, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { checkAsset } from './asset';
import { isBlock, listOf, ownField } from './content-form';
import {
  DEEPEST_DOC,
  DOC_CHILDREN,
  DOC_MARKS,
  DOC_NODES,
  isDocMark,
  isDocNode,
  MOST_DOC_BYTES,
  TEXT_ALIGNMENTS,
  type DocMarkName,
  type DocNodeName,
} from './doc-schema';
import { checkLink } from './link';
import { isAnchor } from './safe-url';
import { checkKeys, checkText, isStorable, type Steps, type ValueCheck } from './value-check';

/** What a field allows in its documents; absent: everything. */
export interface DocRule {
  readonly nodes?: readonly string[];
  readonly marks?: readonly string[];
}

const LONGEST_TEXT = 100_000;
const COLOR = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/;
const LANGUAGE = /^[A-Za-z0-9+#._-]{1,40}$/;

/** A document in the form in which it is stored, of the closed set of nodes and marks alone. Bloks in it are checked as blocks of the page. */
export function checkDoc(value: JsonValue, check: ValueCheck, rule: DocRule = {}): JsonObject | undefined {
  if (nestsDeeper(value, 4 * DEEPEST_DOC)) return check.refuse([], 'length', `must not be nested deeper than ${DEEPEST_DOC} levels.`);
  if (Buffer.byteLength(JSON.stringify(value)) > MOST_DOC_BYTES)
    return check.refuse([], 'length', `must have at most ${MOST_DOC_BYTES / 1024} KB.`);
  const doc = checkKeys(value, ['type', 'content'], check);
  if (!doc) return undefined;
  if (doc.type !== 'doc') return check.refuse(['type'], 'option', 'must be an object of the type doc.');
  const reader = new DocReader(check, rule);
  const content = reader.readChildren(doc, DOC_CHILDREN.blocks, [], 1);
  return reader.isWrong ? undefined : { type: 'doc', content };
}

class DocReader {
  isWrong = false;

  constructor(
    private readonly check: ValueCheck,
    private readonly rule: DocRule,
  ) {}

  readChildren(parent: JsonObject, allowed: readonly string[], steps: Steps, depth: number): readonly JsonValue[] {
    const content = ownField(parent, 'content') ?? [];
    const at = [...steps, 'content'];
    if (!Array.isArray(content)) return this.refuse(at, 'type', 'must have a list of nodes.') ?? [];
    if (depth > DEEPEST_DOC && content.length > 0)
      return this.refuse(at, 'length', `must not be nested deeper than ${DEEPEST_DOC} levels.`) ?? [];
    return (content as readonly JsonValue[]).map((node, position) => this.readNode(node, allowed, [...at, position], depth) ?? null);
  }

  private readNode(node: JsonValue, allowed: readonly string[], steps: Steps, depth: number): JsonObject | undefined {
    if (!isObject(node)) return this.refuse(steps, 'type', 'must have objects as nodes.');
    const name = ownField(node, 'type');
    if (name === 'text' && allowed.includes('text')) return this.readText(node, steps);
    if (!isDocNode(name) || !allowed.includes(name) || !(this.rule.nodes?.includes(name) ?? true))
      return this.refuse([...steps, 'type'], 'option', `cannot have this node here; allowed: ${this.allowedNodes(allowed)}.`);
    if (!this.haveKeys(node, ['type', 'attrs', 'content'], steps)) return undefined;
    const attrs = this.readAttrs(name, node, steps);
    const { holds } = DOC_NODES[name];
    if (holds === 'nothing') {
      if (listOf(ownField(node, 'content')).length > 0)
        return this.refuse([...steps, 'content'], 'unknown_field', `cannot have content in ${name}.`);
      return { type: name, ...attrs };
    }
    return { type: name, ...attrs, content: this.readChildren(node, DOC_CHILDREN[holds], steps, depth + 1) };
  }

  private allowedNodes(allowed: readonly string[]): string {
    const { nodes } = this.rule;
    return allowed.filter((name) => name === 'text' || (nodes?.includes(name) ?? true)).join(', ');
  }

  private readText(node: JsonObject, steps: Steps): JsonObject | undefined {
    if (!this.haveKeys(node, ['type', 'text', 'marks'], steps)) return undefined;
    const text = this.kept(
      checkText(ownField(node, 'text') ?? null, { longest: LONGEST_TEXT, breaks: true, check: this.check, steps: [...steps, 'text'] }),
    );
    if (text === '') return this.refuse([...steps, 'text'], 'required', 'cannot have empty texts.');
    const marks = ownField(node, 'marks') ?? [];
    const at = [...steps, 'marks'];
    if (!Array.isArray(marks) || marks.length > Object.keys(DOC_MARKS).length) return this.refuse(at, 'type', 'must have a list of marks.');
    const read = (marks as readonly JsonValue[]).map((mark, position) => this.readMark(mark, [...at, position]));
    const names = read.map((mark) => mark?.type);
    if (new Set(names).size < names.length) return this.refuse(at, 'unique', 'cannot have a mark twice on one text.');
    return { type: 'text', text: text ?? '', ...(read.length > 0 ? { marks: read.flatMap((mark) => mark ?? []) } : {}) };
  }

  private readMark(mark: JsonValue, steps: Steps): JsonObject | undefined {
    const name = isObject(mark) ? ownField(mark, 'type') : undefined;
    if (!isObject(mark) || !isDocMark(name) || !(this.rule.marks?.includes(name) ?? true))
      return this.refuse(
        [...steps, 'type'],
        'option',
        `can have only the marks ${(this.rule.marks ?? Object.keys(DOC_MARKS)).join(', ')}.`,
      );
    if (!this.haveKeys(mark, ['type', 'attrs'], steps)) return undefined;
    const at = [...steps, 'attrs'];
    const attrs = ownField(mark, 'attrs') ?? {};
    if (name === 'link') {
      const link = this.kept(checkLink(attrs, this.check, { steps: at }));
      return link && { type: name, attrs: link };
    }
    const filled = this.readFilled(attrs, DOC_MARKS[name], at);
    if (!filled) return undefined;
    this.checkMark(name, filled, at);
    return Object.keys(filled).length > 0 ? { type: name, attrs: filled } : { type: name };
  }

  private checkMark(name: DocMarkName, attrs: JsonObject, at: Steps): void {
    const { color, id } = attrs;
    if (color !== undefined && (typeof color !== 'string' || !COLOR.test(color)))
      this.refuse([...at, 'color'], 'format', 'must have a color such as #0a7cff.');
    if (name === 'anchor' && (typeof id !== 'string' || !isAnchor(id)))
      this.refuse([...at, 'id'], id === undefined ? 'required' : 'format', 'must have an anchor of letters, digits and . : _ -');
  }

  private readAttrs(name: DocNodeName, node: JsonObject, steps: Steps): { readonly attrs?: JsonObject } {
    const at = [...steps, 'attrs'];
    const given = ownField(node, 'attrs') ?? {};
    if (name === 'foreign') {
      if (!isObject(given) || !this.haveKeys(given, ['value'], at)) return {};
      if (!isStorable(given)) this.refuse(at, 'format', 'contains characters that cannot be stored.');
      return { attrs: given };
    }
    if (name === 'image') {
      const attrs = this.kept(checkAsset(isObject(given) ? onlyFilled(given) : given, this.check, { steps: at }));
      return attrs ? { attrs } : {};
    }
    const attrs = this.readFilled(given, DOC_NODES[name].attrs, at);
    if (!attrs) return {};
    if (name === 'blok') this.checkBlok(attrs, at);
    else this.checkNumbersAndWords(name, attrs, at);
    return Object.keys(attrs).length > 0 ? { attrs } : {};
  }

  private checkBlok({ body }: JsonObject, at: Steps): void {
    const isBody = Array.isArray(body) && body.length > 0 && (body as readonly JsonValue[]).every(isBlock);
    if (!isBody) this.refuse([...at, 'body'], body === undefined ? 'required' : 'type', 'must have a list of blocks in blok.');
  }

  private checkNumbersAndWords(name: DocNodeName, { level, order, colspan, rowspan, language, text_align }: JsonObject, at: Steps): void {
    const wholes: readonly (readonly [string, JsonValue | undefined, number, number])[] = [
      ['level', name === 'heading' ? (level ?? null) : undefined, 1, 6],
      ['order', order, 0, 1_000_000],
      ['colspan', colspan, 1, 50],
      ['rowspan', rowspan, 1, 500],
    ];
    for (const [key, value, least, most] of wholes)
      if (value !== undefined && !(Number.isInteger(value) && Number(value) >= least && Number(value) <= most))
        this.refuse([...at, key], 'format', `must have a whole number from ${least} to ${most} as ${key}.`);
    if (language !== undefined && (typeof language !== 'string' || !LANGUAGE.test(language)))
      this.refuse([...at, 'language'], 'format', 'must have the name of a language, such as html.');
    if (text_align !== undefined && !TEXT_ALIGNMENTS.some((one) => one === text_align))
      this.refuse([...at, 'text_align'], 'option', `must be aligned ${TEXT_ALIGNMENTS.join(', ')}.`);
  }

  private readFilled(value: JsonValue, keys: readonly string[], at: Steps): JsonObject | undefined {
    const attrs = this.kept(checkKeys(value, keys, this.check, at));
    return attrs && onlyFilled(attrs);
  }

  private haveKeys(value: JsonObject, keys: readonly string[], steps: Steps): boolean {
    return this.kept(checkKeys(value, keys, this.check, steps)) !== undefined;
  }

  private kept<T>(checked: T | undefined): T | undefined {
    this.isWrong ||= checked === undefined;
    return checked;
  }

  private refuse(steps: Steps, code: string, message: string): undefined {
    this.isWrong = true;
    return this.check.refuse(steps, code, message);
  }
}

/** Without what is null; keys that are not known stay for their fault. */
const onlyFilled = (attrs: JsonObject): JsonObject => Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null));

/** A node of a stored document. */
export type DocNode = JsonObject & { readonly type: string };
const isNode = (value: JsonValue): value is DocNode => isObject(value) && typeof value.type === 'string';

/** The nodes of a stored document or node. */
export const childrenOf = (node: JsonValue | undefined): readonly DocNode[] =>
  isObject(node) ? listOf(ownField(node, 'content')).filter(isNode) : [];

export const attrsOf = (node: JsonObject): JsonObject => {
  const attrs = ownField(node, 'attrs');
  return isObject(attrs) ? attrs : {};
};

export const marksOf = (node: JsonObject): readonly DocNode[] => listOf(ownField(node, 'marks')).filter(isNode);

/** A document with the blocks of its bloks replaced; each comes with its steps below the document. */
export function withDocBlocks(node: JsonValue, change: (block: JsonValue, steps: Steps) => JsonValue, steps: Steps = []): JsonValue {
  if (!isObject(node) || !Array.isArray(ownField(node, 'content'))) return node;
  const content = listOf(ownField(node, 'content')).map((child, at) => {
    const here = [...steps, 'content', at];
    if (!isObject(child) || child.type !== 'blok') return withDocBlocks(child, change, here);
    const attrs = attrsOf(child);
    if (!Array.isArray(ownField(attrs, 'body'))) return child;
    const body = listOf(attrs.body).map((block, position) => change(block, [...here, 'attrs', 'body', position]));
    return { ...child, attrs: { ...attrs, body } };
  });
  return { ...node, content };
}

/** A document with the attributes of its nodes and marks changed; what has none is left alone. */
export function withDocAttrs(node: JsonObject, change: (attrs: JsonObject, type: string) => JsonObject): JsonObject {
  const changed = (part: DocNode): JsonObject =>
    Object.hasOwn(part, 'attrs') ? { ...part, attrs: change(attrsOf(part), part.type) } : part;
  const children = childrenOf(node).map((child) => withDocAttrs(changed(child), change));
  const marks = marksOf(node).map(changed);
  return { ...node, ...(Object.hasOwn(node, 'content') ? { content: children } : {}), ...(marks.length > 0 ? { marks } : {}) };
}
