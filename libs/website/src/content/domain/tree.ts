import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { BLOCK_KEYS, isBlocksField, listOf, ownField, type Block, type ContentField, type FindComponent } from './content-form';

/** A block where it is in its page. */
export interface PlacedBlock {
  readonly block: Block;
  /** The block around it; null for the root. */
  readonly parent: Block | null;
  /** The field of the parent that lists it. */
  readonly key: string | null;
  readonly position: number;
  /** From the root, as requests name it: `body[2].items[0]`; empty for the root. */
  readonly path: string;
}

/** A value of a field, also one within a group or the rows of a list. */
export interface PlacedValue {
  readonly field: ContentField;
  readonly value: JsonValue;
  /** Below the block: `address.city`, `rows[2].icon`. */
  readonly path: string;
}

/** The path of a step below a base, which may be empty. */
export const stepFrom = (base: string, step: string | number): string =>
  typeof step === 'number' ? `${base}[${step}]` : base === '' ? step : `${base}.${step}`;

/** Every block of a stored page that its blocks fields list, parents before children. Blocks within documents belong to the value of the document. */
export function placedBlocks(root: Block, find: FindComponent): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = [{ block: root, parent: null, key: null, position: 0, path: '' }];
  // The list grows while it is read.
  for (const { block, path } of placed)
    for (const [key, list] of blockLists(block, find))
      list.forEach((child, position) =>
        placed.push({ block: child, parent: block, key, position, path: stepFrom(stepFrom(path, key), position) }),
      );
  return placed;
}

/** The lists of blocks of a block by their keys. */
export function blockLists(block: Block, find: FindComponent): readonly (readonly [string, readonly Block[]])[] {
  const fields = find(block.component)?.form.fields.filter(isBlocksField) ?? [];
  return fields.map(({ key }) => [key, listOf(ownField(block, key)) as readonly Block[]] as const);
}

/** The values of a block by its fields, without lists of blocks. */
export function placedValues(block: JsonObject, fields: readonly ContentField[], path = ''): readonly PlacedValue[] {
  return fields.flatMap((field) => {
    const value = ownField(block, field.key);
    if (value === undefined || value === null || isBlocksField(field)) return [];
    const here = stepFrom(path, field.key);
    if (field.fields.length === 0) return [{ field, value, path: here }];
    if (isObject(value)) return placedValues(value, field.fields, here);
    return listOf(value).flatMap((row, at) => (isObject(row) ? placedValues(row, field.fields, stepFrom(here, at)) : []));
  });
}

/** A block with its values changed, those of groups and lists included; lists of blocks stay. */
export function withValues(
  block: JsonObject,
  fields: readonly ContentField[],
  change: (value: JsonValue, field: ContentField) => JsonValue,
): JsonObject {
  const known = new Map(fields.map((field) => [field.key, field]));
  const entries = Object.entries(block).map(([key, value]): [string, JsonValue] => {
    const field = BLOCK_KEYS.has(key) ? undefined : known.get(key);
    if (!field || value === null || isBlocksField(field)) return [key, value];
    if (field.fields.length === 0) return [key, change(value, field)];
    if (isObject(value)) return [key, withValues(value, field.fields, change)];
    return [key, listOf(value).map((row) => (isObject(row) ? withValues(row, field.fields, change) : row))];
  });
  return Object.fromEntries(entries);
}

/** A page with each block replaced, children before parents; `change` must leave the identity of a block as it is. */
export function mapBlocks(root: Block, find: FindComponent, change: (block: Block) => JsonObject): Block {
  const lists = blockLists(root, find).map(([key, list]) => [key, list.map((child) => mapBlocks(child, find, change))] as const);
  const below = lists.filter(([key]) => Object.hasOwn(root, key));
  return { ...change({ ...root, ...Object.fromEntries(below) }), _uid: root._uid, component: root.component };
}
