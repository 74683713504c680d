import { invalidField, isObject, Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import {
  BLOCK_KEYS,
  isBlock,
  isBlocksField,
  isUid,
  listOf,
  ownField,
  type Block,
  type ContentField,
  type FindComponent,
} from './content-form';
import { requireField, requireText, requireValue, unknownBlock, type ContentOp } from './op';

export interface OpsContext {
  readonly find: FindComponent;
  /** The position of the operations in the request: `ops`. */
  readonly at: string;
  readonly newUid: () => string;
}

export interface ChangedTree {
  readonly tree: Block;
  /** Identities of blocks that were inserted or copied, in the order of the operations. */
  readonly made: readonly string[];
  /** The copy of each block that was duplicated, for its overlays. */
  readonly copies: ReadonlyMap<string, string>;
}

/** Applies operations to the tree of the default locale, in order. What they insert is checked with the whole page afterwards. */
export function applyOps(tree: Block, ops: readonly ContentOp[], context: OpsContext): ChangedTree {
  const page = new EditedPage(tree, context);
  ops.forEach((op, position) => page.applyOp(op, `${context.at}[${position}]`));
  return { tree: page.toTree(), made: page.made, copies: page.copies };
}

/** A block that is being edited: its lists hold the identities of their blocks, so that each operation touches one list. */
interface EditedBlock {
  readonly uid: string;
  readonly component: string;
  readonly values: Map<string, JsonValue>;
  readonly lists: Map<string, string[]>;
  parent: { readonly uid: string; readonly key: string } | null;
}

class EditedPage {
  readonly made: string[] = [];
  readonly copies = new Map<string, string>();
  private readonly blocks = new Map<string, EditedBlock>();

  constructor(
    private readonly root: Block,
    private readonly context: OpsContext,
  ) {
    this.enter(root, null);
  }

  applyOp(op: ContentOp, at: string): void {
    switch (op.op) {
      case 'set':
        return this.setValue(op, at);
      case 'unset':
        return this.unsetValue(op, at);
      case 'insert':
        return this.insertBlock(op, at);
      case 'move':
        return this.moveBlock(op, at);
      case 'remove':
        return this.leave(this.requireChild(op, at));
      case 'duplicate':
        return this.duplicateBlock(op, at);
    }
  }

  toTree(): Block {
    return this.toBlock(this.root._uid);
  }

  private setValue(op: ContentOp, at: string): void {
    const { block, field } = this.requireField(op, at);
    const value = requireValue(op, at);
    if (!isBlocksField(field)) {
      block.values.set(field.key, value);
      return;
    }
    if (!Array.isArray(value)) throw invalidField(`${at}.value`, `${field.label} must be a list of blocks.`, 'type');
    for (const uid of [...(block.lists.get(field.key) ?? [])]) this.leave(this.require(uid));
    block.lists.set(field.key, []);
    listOf(value).forEach((child, position) => {
      const uid = this.enterNew(child, `${at}.value[${position}]`, { uid: block.uid, key: field.key });
      block.lists.get(field.key)?.push(uid);
    });
  }

  private unsetValue(op: ContentOp, at: string): void {
    const { block, field } = this.requireField(op, at);
    for (const uid of [...(block.lists.get(field.key) ?? [])]) this.leave(this.require(uid));
    block.values.delete(field.key);
    block.lists.delete(field.key);
  }

  private insertBlock(op: ContentOp, at: string): void {
    const place = this.requirePlace(op, at);
    const uid = this.enterNew(requireValue(op, at), `${at}.value`, place);
    this.listAt(place).splice(place.position, 0, uid);
  }

  private moveBlock(op: ContentOp, at: string): void {
    const block = this.requireChild(op, at);
    const target = this.requirePlace(op, at);
    for (
      let above: EditedBlock | undefined = this.require(target.uid);
      above;
      above = above.parent ? this.blocks.get(above.parent.uid) : undefined
    )
      if (above === block) throw new Problem('invalid_move', `The block ${block.uid} cannot be moved into itself.`);
    if (op.before === block.uid || op.after === block.uid) return;
    this.detach(block);
    // Its own list is one shorter now.
    const place = this.requirePlace(op, at);
    this.listAt(place).splice(place.position, 0, block.uid);
    block.parent = { uid: place.uid, key: place.key };
  }

  private duplicateBlock(op: ContentOp, at: string): void {
    const block = this.requireChild(op, at);
    const isPlaced = [op.before, op.after, op.parent_uid].some((uid) => (uid ?? null) !== null);
    const place = this.requirePlace(isPlaced ? op : { ...op, after: block.uid }, at);
    const copy = this.copyOf(this.toBlock(block.uid));
    this.enter(copy, { uid: place.uid, key: place.key });
    this.listAt(place).splice(place.position, 0, copy._uid);
  }

  /** A copy whose blocks have identities of their own. */
  private copyOf(block: Block): Block {
    const uid = this.context.newUid();
    this.made.push(uid);
    this.copies.set(block._uid, uid);
    const lists = this.blocksFields(block.component).flatMap(({ key }): [string, JsonValue][] =>
      Object.hasOwn(block, key) ? [[key, listOf(ownField(block, key)).map((child) => (isBlock(child) ? this.copyOf(child) : child))]] : [],
    );
    return { ...block, ...Object.fromEntries(lists), _uid: uid };
  }

  /** Takes a stored block in, with all below it. */
  private enter(block: Block, parent: EditedBlock['parent']): void {
    const entered = this.entered(block, block._uid, parent);
    for (const { key } of this.blocksFields(block.component)) {
      if (!Object.hasOwn(block, key)) continue;
      const children = listOf(ownField(block, key)).filter(isBlock);
      entered.lists.set(
        key,
        children.map(({ _uid }) => _uid),
      );
      for (const child of children) this.enter(child, { uid: block._uid, key });
    }
  }

  /** Takes in what a request brings: identities are made where they are absent, and none may be there already. */
  private enterNew(value: JsonValue, at: string, parent: EditedBlock['parent']): string {
    if (!isObject(value)) throw invalidField(at, 'A block must be an object.', 'type');
    const component = ownField(value, 'component');
    if (typeof component !== 'string') throw invalidField(`${at}.component`, 'A block must have a component.', 'required');
    const uid = ownField(value, '_uid') ?? this.context.newUid();
    if (!isUid(uid)) throw invalidField(`${at}._uid`, '_uid must have 8 to 64 letters, digits, hyphens and underscores.', 'format');
    if (this.blocks.has(uid)) throw invalidField(`${at}._uid`, 'Another block of the page has this _uid.', 'unique');
    this.made.push(uid);
    const entered = this.entered({ ...value, _uid: uid, component }, uid, parent);
    for (const { key } of this.blocksFields(component)) {
      if (!Object.hasOwn(value, key)) continue;
      const children = listOf(ownField(value, key));
      entered.lists.set(
        key,
        children.map((child, position) => this.enterNew(child, `${at}.${key}[${position}]`, { uid, key })),
      );
    }
    return uid;
  }

  private entered(block: Block, uid: string, parent: EditedBlock['parent']): EditedBlock {
    const lists = new Set(this.blocksFields(block.component).map(({ key }) => key));
    const values = Object.entries(block).filter(([key]) => !BLOCK_KEYS.has(key) && !lists.has(key));
    const entered = { uid, component: block.component, values: new Map(values), lists: new Map<string, string[]>(), parent };
    this.blocks.set(uid, entered);
    return entered;
  }

  private leave(block: EditedBlock): void {
    this.detach(block);
    this.forget(block);
  }

  private forget(block: EditedBlock): void {
    this.blocks.delete(block.uid);
    for (const list of block.lists.values()) for (const uid of list) this.forget(this.require(uid));
  }

  private detach({ uid, parent }: EditedBlock): void {
    const list = parent ? this.blocks.get(parent.uid)?.lists.get(parent.key) : undefined;
    list?.splice(list.indexOf(uid), 1);
  }

  private requirePlace(op: ContentOp, at: string): { readonly uid: string; readonly key: string; readonly position: number } {
    const beside = op.before ?? op.after ?? null;
    if (beside !== null) {
      const { parent } = this.require(beside);
      if (!parent) throw invalidField(`${at}.${op.before === beside ? 'before' : 'after'}`, 'Nothing can be beside the page itself.');
      const position = this.listAt(parent).indexOf(beside);
      return { ...parent, position: op.before === beside ? position : position + 1 };
    }
    const parent = this.require(requireText(op.parent_uid, `${at}.parent_uid`));
    const key = requireText(op.key, `${at}.key`);
    if (!this.blocksFields(parent.component).some((field) => field.key === key))
      throw invalidField(`${at}.key`, `The component ${parent.component} has no blocks under ${key}.`, 'unknown_field');
    return { uid: parent.uid, key, position: this.listAt({ uid: parent.uid, key }).length };
  }

  private listAt({ uid, key }: { readonly uid: string; readonly key: string }): string[] {
    const { lists } = this.require(uid);
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    return list;
  }

  private requireField(op: ContentOp, at: string): { readonly block: EditedBlock; readonly field: ContentField } {
    const block = this.require(requireText(op.uid, `${at}.uid`));
    return { block, field: requireField(block, requireText(op.key, `${at}.key`), this.context.find, `${at}.key`) };
  }

  private requireChild(op: ContentOp, at: string): EditedBlock {
    const block = this.require(requireText(op.uid, `${at}.uid`));
    if (block.parent) return block;
    throw invalidField(`${at}.uid`, 'The page itself cannot be moved, copied or removed.');
  }

  private require(uid: string): EditedBlock {
    const block = this.blocks.get(uid);
    if (!block) throw unknownBlock(uid);
    return block;
  }

  private blocksFields(component: string): readonly ContentField[] {
    return this.context.find(component)?.form.fields.filter(isBlocksField) ?? [];
  }

  private toBlock(uid: string): Block {
    const { component, values, lists } = this.require(uid);
    const children = [...lists].map(([key, list]) => [key, list.map((child) => this.toBlock(child))] as const);
    return { _uid: uid, component, ...Object.fromEntries<JsonValue>([...values, ...children]) } satisfies JsonObject;
  }
}
