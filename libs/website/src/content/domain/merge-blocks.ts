import type { JsonValue } from '@atrium/platform/kernel';
import { mergeOrder } from './merge-order';
import { mergeUnits, mergeValue, type Conflicts, type Side, type Versions } from './merge-units';
import { canonicalText, slotName, type FlatBlock, type FlatDocument, type Slot, type Unit } from './page-document';

type Documents = Readonly<Record<Side, FlatDocument>>;
const NO_UNITS: ReadonlyMap<string, Unit> = new Map();

/** Merges the blocks of three versions: first which of them there are and where, then the order of each list, then what they say. */
export function mergeBlocks(documents: Documents, conflicts: Conflicts): Pick<FlatDocument, 'root' | 'blocks' | 'overlays'> {
  return new BlockMerge(documents, conflicts).merged();
}

class BlockMerge {
  private readonly uids: ReadonlySet<string>;
  /** Where each block ends up; blocks that are not in it are removed. */
  private readonly slots = new Map<string, Slot | null>();
  /** Blocks that one side removed and that are there all the same, with the side that has them. */
  private readonly revived = new Map<string, Side>();
  private readonly root: string;

  constructor(
    private readonly documents: Documents,
    private readonly conflicts: Conflicts,
  ) {
    const { base, local, remote } = documents;
    this.uids = new Set([...local.blocks.keys(), ...remote.blocks.keys(), ...base.blocks.keys()]);
    const roots = { base: base.root, local: local.root, remote: remote.root };
    const root = mergeValue(roots, { path: 'root', locale: null }, conflicts);
    this.root = typeof root === 'string' ? root : local.root;
  }

  merged(): Pick<FlatDocument, 'root' | 'blocks' | 'overlays'> {
    this.settleRemovals('local', 'remote');
    this.settleRemovals('remote', 'local');
    for (const uid of this.uids) this.settleSlot(uid);
    this.settleOrphans();
    this.breakCircles();
    const lists = this.mergeLists();
    const blocks = new Map<string, FlatBlock>();
    const overlays = new Map<string, ReadonlyMap<string, Unit>>();
    for (const uid of this.reachable(lists)) {
      const versions = this.versionsOf(uid);
      const { component, values } = this.mergeValues(uid, versions);
      blocks.set(uid, { uid, component, slot: this.slots.get(uid) ?? null, values, lists: lists.get(uid) ?? new Map() });
      overlays.set(uid, mergeUnits(this.overlaysOf(uid), this.conflicts));
    }
    return { root: this.root, blocks, overlays };
  }

  /** Finds what a side removed: unchanged at the other it goes, changed there it is a conflict of the whole block. */
  private settleRemovals(remover: Side, other: Side): void {
    const { base } = this.documents;
    const [removing, keeping] = [this.documents[remover], this.documents[other]];
    for (const uid of base.blocks.keys()) {
      if (removing.blocks.has(uid) || !keeping.blocks.has(uid) || uid === this.root) continue;
      const above = this.earlierAbove(uid, other);
      if (above !== null && !removing.blocks.has(above)) continue;
      const subtree = this.removedBelow(uid, remover, other);
      if (!subtree.some((one) => this.isChanged(one, other))) continue;
      const shown = { base: this.shown(uid, 'base'), local: this.shown(uid, 'local'), remote: this.shown(uid, 'remote') };
      const side = this.conflicts.settleSide({ path: uid, locale: null, ...shown });
      if (side !== remover) for (const one of subtree) this.revived.set(one, side === 'base' ? 'base' : other);
    }
  }

  /** The nearest block around one that was in the base; null at the root. */
  private earlierAbove(uid: string, side: Side): string | null {
    const { blocks } = this.documents[side];
    let slot = blocks.get(uid)?.slot ?? null;
    while (slot && !this.documents.base.blocks.has(slot.uid)) slot = blocks.get(slot.uid)?.slot ?? null;
    return slot?.uid ?? null;
  }

  /** A block and what is below it at a side, as far as the other side no longer has it. */
  private removedBelow(uid: string, remover: Side, other: Side): readonly string[] {
    const found = [uid];
    for (const one of found)
      for (const children of this.documents[other].blocks.get(one)?.lists.values() ?? [])
        for (const child of children) if (!this.documents[remover].blocks.has(child)) found.push(child);
    return found;
  }

  /** Whether a side changed a block of the base: what it says, where it is, or what it holds. */
  private isChanged(uid: string, side: Side): boolean {
    const [before, after] = [this.documents.base.blocks.get(uid), this.documents[side].blocks.get(uid)];
    if (!before || !after) return true;
    const holdsNew = [...after.lists.values()].flat().some((child) => {
      const earlier = this.documents.base.blocks.get(child);
      return !earlier || earlier.slot?.uid !== uid;
    });
    return holdsNew || slotName(before.slot) !== slotName(after.slot) || this.saidBy(uid, 'base') !== this.saidBy(uid, side);
  }

  private saidBy(uid: string, side: Side): string {
    const { blocks, overlays } = this.documents[side];
    const block = blocks.get(uid);
    const overlay = [...(overlays.get(uid) ?? NO_UNITS)].map(([name, { value }]): [string, JsonValue] => [name, value]);
    return canonicalText({ component: block?.component ?? '', ...Object.fromEntries([...(block?.values ?? []), ...overlay]) });
  }

  /** What a conflict of a whole block shows of a side: the block with its own values. */
  private shown(uid: string, side: Side): JsonValue {
    const block = this.documents[side].blocks.get(uid);
    return block ? { _uid: uid, component: block.component, ...Object.fromEntries([...block.values, ...block.lists]) } : null;
  }

  private settleSlot(uid: string): void {
    const [base, local, remote] = (['base', 'local', 'remote'] as const).map((side) => this.documents[side].blocks.get(uid));
    const revived = this.revived.get(uid);
    if (revived) {
      this.slots.set(uid, this.documents[revived].blocks.get(uid)?.slot ?? null);
      return;
    }
    if (base && (!local || !remote)) return;
    const present = local ?? remote;
    if (!present) return;
    if (!local || !remote) {
      this.slots.set(uid, present.slot);
      return;
    }
    const places = { base: base ? slotName(base.slot) : undefined, local: slotName(local.slot), remote: slotName(remote.slot) };
    if (places.local === places.remote || places.remote === places.base) this.slots.set(uid, local.slot);
    else if (places.local === places.base) this.slots.set(uid, remote.slot);
    else this.slots.set(uid, this.chosenSlot(uid, { base: base?.slot, local: local.slot, remote: remote.slot }));
  }

  /** A block that both sides moved, to different lists. */
  private chosenSlot(uid: string, slots: Versions<Slot | null>): Slot | null {
    const shown = (slot: Slot | null | undefined): JsonValue => (slot ? slotName(slot) : null);
    const conflict = { path: uid, locale: null, base: shown(slots.base), local: shown(slots.local), remote: shown(slots.remote) };
    return slots[this.conflicts.settleSide(conflict)] ?? slots.local ?? null;
  }

  /** A block whose list went with its block stays where the other side has it, or goes too. */
  private settleOrphans(): void {
    for (const [uid, slot] of this.slots) {
      if (!slot || this.slots.has(slot.uid)) continue;
      const others = (['local', 'remote', 'base'] as const).map((side) => this.documents[side].blocks.get(uid)?.slot);
      const other = others.find((one) => one && this.slots.has(one.uid));
      if (other) this.slots.set(uid, other);
    }
  }

  /** Two blocks that were moved into each other, each by one side: they stay where the local version has them. */
  private breakCircles(): void {
    const reached = this.connected();
    for (const uid of this.slots.keys()) {
      const local = this.documents.local.blocks.get(uid);
      const slot = this.slots.get(uid) ?? null;
      if (reached.has(uid) || !local || slotName(local.slot) === slotName(slot) || !slot || !this.slots.has(slot.uid)) continue;
      this.slots.set(uid, this.chosenSlot(uid, { base: this.documents.base.blocks.get(uid)?.slot, local: local.slot, remote: local.slot }));
    }
  }

  /** Blocks from which the way up leads to the root. */
  private connected(): ReadonlySet<string> {
    const children = new Map<string, string[]>();
    for (const [uid, slot] of this.slots) {
      const list = children.get(slot?.uid ?? '') ?? [];
      list.push(uid);
      children.set(slot?.uid ?? '', list);
    }
    const found = [this.root];
    for (const uid of found) found.push(...(children.get(uid) ?? []));
    return new Set(found);
  }

  private mergeLists(): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
    const members = new Map<string, { readonly slot: Slot; readonly uids: Set<string> }>();
    for (const [uid, slot] of this.slots) {
      if (!slot) continue;
      const list = members.get(slotName(slot)) ?? { slot, uids: new Set<string>() };
      members.set(slotName(slot), list);
      list.uids.add(uid);
    }
    const lists = new Map<string, Map<string, readonly string[]>>();
    for (const { slot, uids } of members.values()) {
      const ofBlock = lists.get(slot.uid) ?? new Map<string, readonly string[]>();
      lists.set(slot.uid, ofBlock.set(slot.key, this.mergeList(slot, uids)));
    }
    return lists;
  }

  private mergeList(slot: Slot, members: ReadonlySet<string>): readonly string[] {
    const listed = (side: Side): readonly string[] => this.documents[side].blocks.get(slot.uid)?.lists.get(slot.key) ?? [];
    const versions = { base: listed('base'), local: listed('local'), remote: listed('remote') };
    const ordered = mergeOrder(members, versions, () => this.chosenOrder(slot, versions));
    // What neither list has was revived, or stays here because its own list went.
    const placed = new Set(ordered);
    return [...ordered, ...[...members].filter((uid) => !placed.has(uid))];
  }

  private chosenOrder(slot: Slot, versions: Readonly<Record<Side, readonly string[]>>): readonly string[] {
    return versions[this.conflicts.settleSide({ path: slotName(slot), locale: null, ...versions })];
  }

  private reachable(lists: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>): ReadonlySet<string> {
    const found = [this.root];
    for (const uid of found) for (const list of lists.get(uid)?.values() ?? []) found.push(...list);
    return new Set(found);
  }

  /** A block that one side removed and that is there all the same says what the side has that it was taken from. */
  private versionsOf(uid: string): Versions<FlatBlock> {
    const side = this.revived.get(uid);
    const block = (of: Side): FlatBlock | undefined => this.documents[of].blocks.get(uid);
    return side
      ? { base: block(side), local: block(side), remote: block(side) }
      : { base: block('base'), local: block('local'), remote: block('remote') };
  }

  private overlaysOf(uid: string): Record<Side, ReadonlyMap<string, Unit>> {
    const side = this.revived.get(uid);
    const units = (of: Side): ReadonlyMap<string, Unit> => this.documents[side ?? of].overlays.get(uid) ?? NO_UNITS;
    return this.onlyOwner(uid, { base: units('base'), local: units('local'), remote: units('remote') }, NO_UNITS);
  }

  /** A block that one side alone has is as that side has it. */
  private onlyOwner<T>(uid: string, versions: Record<Side, T>, none: T): Record<Side, T> {
    const has = (side: Side): boolean => this.documents[side].blocks.has(uid) || this.revived.has(uid);
    return {
      base: has('base') ? versions.base : none,
      local: has('local') ? versions.local : none,
      remote: has('remote') ? versions.remote : none,
    };
  }

  private mergeValues(uid: string, { base, local, remote }: Versions<FlatBlock>): Pick<FlatBlock, 'component' | 'values'> {
    if (!local || !remote) {
      const only = local ?? remote ?? base;
      return { component: only?.component ?? '', values: only?.values ?? new Map() };
    }
    const merge = (key: string, versions: Versions<JsonValue>): JsonValue | undefined =>
      mergeValue(versions, { path: `${uid}.${key}`, locale: null }, this.conflicts);
    const component = merge('component', { base: base?.component, local: local.component, remote: remote.component });
    const values = new Map<string, JsonValue>();
    for (const key of new Set([...local.values.keys(), ...remote.values.keys(), ...(base?.values.keys() ?? [])])) {
      const value = merge(key, { base: base?.values.get(key), local: local.values.get(key), remote: remote.values.get(key) });
      if (value !== undefined && value !== null) values.set(key, value);
    }
    return { component: typeof component === 'string' ? component : local.component, values };
  }
}
