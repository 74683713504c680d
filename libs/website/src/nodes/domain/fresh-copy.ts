import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { isBlock, isBlocksField, listOf, ownField, type Block, type FindComponent } from '../../content/domain/content-form';
import { withDocBlocks } from '../../content/domain/doc';
import { withValues } from '../../content/domain/tree';

/** A copy of a page whose blocks have identities of their own, and the identity of each copy by that of its source. */
export interface FreshCopy {
  readonly tree: Block;
  readonly uids: ReadonlyMap<string, string>;
}

export function freshCopy(tree: Block, find: FindComponent, newUid: () => string): FreshCopy {
  const uids = new Map<string, string>();
  const copy = (block: JsonValue): JsonValue => {
    if (!isBlock(block)) return block;
    const uid = newUid();
    uids.set(block._uid, uid);
    const fields = find(block.component)?.form.fields ?? [];
    const values = withValues(block, fields, (value, field) => (field.type.name === 'doc' ? withDocBlocks(value, copy) : value));
    const lists = fields.filter((field) => isBlocksField(field) && Array.isArray(ownField(block, field.key)));
    return { ...values, ...Object.fromEntries(lists.map(({ key }) => [key, listOf(ownField(block, key)).map(copy)])), _uid: uid };
  };
  return { tree: copy(tree) as Block, uids };
}

/** The values of a locale under the identities of the copies. */
export function copiedOverlay<T extends JsonObject | Readonly<Record<string, string>>>(overlay: T, uids: ReadonlyMap<string, string>): T {
  const entries = Object.entries(overlay).map(([name, value]): [string, JsonValue] => {
    const dot = name.indexOf('.');
    const uid = uids.get(name.slice(0, dot));
    return [uid === undefined ? name : `${uid}${name.slice(dot)}`, value];
  });
  return Object.fromEntries(entries) as T;
}
