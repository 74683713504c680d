import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { assetFile } from './asset';
import { isBlock, listOf, ownField, type Block, type FindComponent } from './content-form';
import { withDocAttrs, withDocBlocks } from './doc';
import { linkReference } from './link';
import { blockLists, mapBlocks, placedValues, stepFrom, withValues } from './tree';
import type { ContentReference, Steps } from './value-check';

/** A page or a file that content refers to, and where. */
export interface FoundReference {
  readonly kind: ContentReference;
  readonly id: string;
  readonly uid: string;
  /** From the root, as requests name it: `body[2].button`. */
  readonly path: string;
}

/** What replaces each reference in a copy of content: addresses for delivery, identities of another system for a sync. */
export interface ReferenceChange {
  link(link: JsonObject): JsonValue;
  asset(asset: JsonObject): JsonValue;
  /** A page or a file that a field names by its id alone. */
  id(kind: ContentReference, id: string): JsonValue;
}

/** Every page and file that a page refers to, documents and their bloks included. */
export function findReferences(root: Block, find: FindComponent): readonly FoundReference[] {
  const found: FoundReference[] = [];
  const visit = (block: Block, path: string): void => {
    const add = (kind: ContentReference, id: JsonValue | undefined, at: string): void => {
      if (typeof id === 'string') found.push({ kind, id, uid: block._uid, path: at });
    };
    for (const { field, value, path: below } of placedValues(block, find(block.component)?.form.fields ?? [], path))
      for (const { kind, id, steps } of valueReferences(value, field.type.name)) add(kind, id, steps.reduce<string>(stepFrom, below));
    visitDocBlocks(block, path, find, visit);
    for (const [key, list] of blockLists(block, find))
      list.forEach((child, position) => visit(child, stepFrom(stepFrom(path, key), position)));
  };
  visit(root, '');
  return found;
}

function visitDocBlocks(block: Block, path: string, find: FindComponent, visit: (block: Block, path: string) => void): void {
  for (const { field, value, path: below } of placedValues(block, find(block.component)?.form.fields ?? [], path))
    if (field.type.name === 'doc')
      withDocBlocks(value, (inner, steps) => {
        if (isBlock(inner)) visit(inner, steps.reduce<string>(stepFrom, below));
        return inner;
      });
}

interface ValueReference {
  readonly kind: ContentReference;
  readonly id: string;
  readonly steps: Steps;
}

/** What a value of a type refers to; bloks of a document are values of their own. */
export function valueReferences(value: JsonValue, type: string): readonly ValueReference[] {
  switch (type) {
    case 'link':
      return linkAt(value, []);
    case 'asset':
      return assetAt(value, []);
    case 'assets':
      return listOf(value).flatMap((asset, at) => assetAt(asset, [at]));
    case 'page':
    case 'file':
      return typeof value === 'string' ? [{ kind: type, id: value, steps: [] }] : [];
    case 'pages':
    case 'files':
      return listOf(value).flatMap((id, at) =>
        typeof id === 'string' ? [{ kind: type === 'pages' ? 'page' : 'file', id, steps: [at] }] : [],
      );
    case 'doc':
      return docReferences(value, []);
    default:
      return [];
  }
}

function linkAt(value: JsonValue | undefined, steps: Steps): readonly ValueReference[] {
  const reference = linkReference(value);
  return reference ? [{ ...reference, steps: [...steps, 'ref'] }] : [];
}

function assetAt(value: JsonValue | undefined, steps: Steps): readonly ValueReference[] {
  const id = assetFile(value);
  return id === null ? [] : [{ kind: 'file', id, steps: [...steps, 'file'] }];
}

function docReferences(node: JsonValue, steps: Steps): readonly ValueReference[] {
  if (!isObject(node)) return [];
  const own = node.type === 'image' ? assetAt(ownField(node, 'attrs'), [...steps, 'attrs']) : [];
  const marks = listOf(ownField(node, 'marks')).flatMap((mark, at) =>
    isObject(mark) && mark.type === 'link' ? linkAt(ownField(mark, 'attrs'), [...steps, 'marks', at, 'attrs']) : [],
  );
  const below = listOf(ownField(node, 'content')).flatMap((child, at) => docReferences(child, [...steps, 'content', at]));
  return [...own, ...marks, ...below];
}

/** A page with its references changed. */
export function changeReferences(root: Block, find: FindComponent, change: ReferenceChange): Block {
  const changeBlock = (block: Block): JsonObject =>
    withValues(block, find(block.component)?.form.fields ?? [], (value, { type }) => changeValue(value, type.name, change, below));
  const below = (block: JsonValue): JsonValue => (isBlock(block) ? mapBlocks(block, find, changeBlock) : block);
  return mapBlocks(root, find, changeBlock);
}

/** A value of a type with its references changed; `below` changes the blocks of its bloks. */
export function changeValue(
  value: JsonValue,
  type: string,
  change: ReferenceChange,
  below: (block: JsonValue) => JsonValue = (block) => block,
): JsonValue {
  switch (type) {
    case 'link':
      return isObject(value) ? change.link(value) : value;
    case 'asset':
      return isObject(value) ? change.asset(value) : value;
    case 'assets':
      return listOf(value).map((asset) => (isObject(asset) ? change.asset(asset) : asset));
    case 'page':
    case 'file':
      return typeof value === 'string' ? change.id(type, value) : value;
    case 'pages':
    case 'files':
      return listOf(value).map((id) => (typeof id === 'string' ? change.id(type === 'pages' ? 'page' : 'file', id) : id));
    case 'doc':
      return isObject(value)
        ? withDocBlocks(
            withDocAttrs(value, (attrs, part) => changeAttrs(attrs, part, change)),
            below,
          )
        : value;
    default:
      return value;
  }
}

function changeAttrs(attrs: JsonObject, part: string, change: ReferenceChange): JsonObject {
  if (part !== 'link' && part !== 'image') return attrs;
  const changed = part === 'link' ? change.link(attrs) : change.asset(attrs);
  return isObject(changed) ? changed : attrs;
}
