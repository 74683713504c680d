import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** What of a field decides where blocks are. */
interface WalkedField {
  readonly key: string;
  readonly type: { readonly name: string };
  readonly fields: readonly WalkedField[];
}

/** The fields of a component; undefined for one that is unknown. */
export type FieldsOfComponent = (component: string) => readonly WalkedField[] | undefined;

/**
 * The value with each block of it replaced, those within lists and documents included. Parents come before children: the blocks of a list
 * that is renamed are found under its new name.
 */
export function mapEveryBlock(block: JsonObject, fieldsOf: FieldsOfComponent, change: (block: JsonObject) => JsonObject): JsonObject {
  const changed = change(block);
  const fields = typeof changed.component === 'string' ? fieldsOf(changed.component) : undefined;
  return fields ? mapFields(changed, fields, (one) => mapEveryBlock(one, fieldsOf, change)) : changed;
}

/** All blocks of a component in a page. */
export function blocksOf(root: JsonObject, fieldsOf: FieldsOfComponent, component: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  mapEveryBlock(root, fieldsOf, (block) => {
    if (block.component === component) found.push(block);
    return block;
  });
  return found;
}

function mapFields(content: JsonObject, fields: readonly WalkedField[], change: (block: JsonObject) => JsonObject): JsonObject {
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const value = Object.hasOwn(content, field.key) ? content[field.key] : undefined;
    if (value === undefined || value === null) return [];
    const next = mapValue(value, field, change);
    return next === value ? [] : [[field.key, next]];
  });
  return entries.length === 0 ? content : { ...content, ...Object.fromEntries(entries) };
}

function mapValue(value: JsonValue, { type, fields }: WalkedField, change: (block: JsonObject) => JsonObject): JsonValue {
  if (type.name === 'blocks') return mapObjects(value, change);
  if (type.name === 'doc') return isObject(value) ? mapDoc(value, change) : value;
  if (fields.length === 0) return value;
  return isObject(value) ? mapFields(value, fields, change) : mapObjects(value, (row) => mapFields(row, fields, change));
}

/** A node of a document; blocks are in the body of `blok` nodes alone. */
function mapDoc(node: JsonObject, change: (block: JsonObject) => JsonObject): JsonObject {
  const { content, attrs } = node;
  if (node.type === 'blok' && isObject(attrs)) {
    const body = mapObjects(attrs.body ?? null, change);
    return body === attrs.body ? node : { ...node, attrs: { ...attrs, body } };
  }
  const next = mapObjects(content ?? null, (child) => mapDoc(child, change));
  return content === undefined || next === content ? node : { ...node, content: next };
}

/** A list whose objects are changed; the same list where none of them is. */
function mapObjects(value: JsonValue, change: (item: JsonObject) => JsonObject): JsonValue {
  if (!Array.isArray(value)) return value;
  const items = value as readonly JsonValue[];
  const next = items.map((item) => (isObject(item) ? change(item) : item));
  return next.every((item, at) => item === items[at]) ? items : next;
}
