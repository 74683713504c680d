import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { isDeepStrictEqual } from 'node:util';
import { isEmptyValue, type Block } from './content-form';
import { docText } from './doc-text';
import { flattenDocument, slotName, type FlatBlock, type PageDocument, type Slot } from './page-document';
import { DiffEffort, settledItems } from './sequences';
import { diffTexts, type TextChange } from './text-diff';

export interface DiffedBlock {
  readonly uid: string;
  readonly component: string;
  /** The list that it is in, `<_uid>.<key>`. */
  readonly path: string;
}

export interface MovedBlock {
  readonly uid: string;
  readonly component: string;
  readonly from: BlockPlace;
  readonly to: BlockPlace;
}

export interface BlockPlace {
  readonly path: string;
  readonly position: number;
}

export interface ChangedValue {
  /** `<_uid>.<key>`, `seo.<key>`. */
  readonly path: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
  /** For texts and documents: their words. */
  readonly text_diff: readonly TextChange[] | null;
}

/**
 * What changed between two versions of a page in one locale. Blocks are the same by their `_uid`. The words of texts are compared as long
 * as all of them together cost little; beyond it the text is removed and added as a whole.
 */
export interface VersionDiff {
  /** Without those within added blocks. */
  readonly added: readonly DiffedBlock[];
  readonly removed: readonly DiffedBlock[];
  readonly moved: readonly MovedBlock[];
  readonly changed: readonly ChangedValue[];
}

/** What a version shows in a locale. */
export interface VersionContent {
  readonly content: Block;
  readonly seo: JsonObject;
}

const BLANK = { name: '', slugs: {}, parent: null, template: '', kind: 'page', overlays: {}, order: null } as const;
const flat = ({ content, seo }: VersionContent) => flattenDocument({ ...BLANK, content, seo } satisfies PageDocument);

export function diffVersions(from: VersionContent, to: VersionContent): VersionDiff {
  const [before, after] = [flat(from), flat(to)];
  const effort = new DiffEffort();
  const [old, now] = [[...before.blocks.values()], [...after.blocks.values()]];
  const topOnly = (blocks: readonly FlatBlock[], others: ReadonlyMap<string, FlatBlock>, own: ReadonlyMap<string, FlatBlock>) =>
    blocks
      .filter(({ uid, slot }) => !others.has(uid) && (slot === null || others.has(slot.uid) || !own.has(slot.uid)))
      .map(({ uid, component, slot }) => ({ uid, component, path: slotName(slot) }));
  return {
    added: topOnly(now, before.blocks, after.blocks),
    removed: topOnly(old, after.blocks, before.blocks),
    moved: movedBlocks(before.blocks, after.blocks),
    changed: [
      ...now.flatMap((block) => {
        const earlier = before.blocks.get(block.uid);
        return earlier ? changedValues(withComponent(earlier), withComponent(block), { at: block.uid, effort }) : [];
      }),
      ...changedValues(new Map(Object.entries(from.seo)), new Map(Object.entries(to.seo)), { at: 'seo', effort }),
    ],
  };
}

const withComponent = ({ component, values }: FlatBlock): ReadonlyMap<string, JsonValue> => new Map([['component', component], ...values]);

function changedValues(
  before: ReadonlyMap<string, JsonValue>,
  after: ReadonlyMap<string, JsonValue>,
  { at, effort }: { readonly at: string; readonly effort: DiffEffort },
): readonly ChangedValue[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [from, to] = [before.get(key) ?? null, after.get(key) ?? null];
    if (isDeepStrictEqual(from, to) || (isEmptyValue(from) && isEmptyValue(to))) return [];
    return [{ path: `${at}.${key}`, from, to, text_diff: textDiff(from, to, effort) }];
  });
}

/** A text that appears or disappears is compared with none. */
function textDiff(from: JsonValue, to: JsonValue, effort: DiffEffort): readonly TextChange[] | null {
  const [one, other] = [wordsIn(from), wordsIn(to)];
  return one === null || other === null || (from === null && to === null) ? null : diffTexts(one, other, effort);
}

function wordsIn(value: JsonValue): string | null {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return isObject(value) && value.type === 'doc' ? docText(value) : null;
}

function movedBlocks(before: ReadonlyMap<string, FlatBlock>, after: ReadonlyMap<string, FlatBlock>): readonly MovedBlock[] {
  const moved: MovedBlock[] = [];
  for (const parent of after.values())
    for (const [key, uids] of parent.lists) {
      const slot: Slot = { uid: parent.uid, key };
      const listed = before.get(parent.uid)?.lists.get(key) ?? [];
      const positions = new Map(listed.map((uid, position) => [uid, position]));
      const settled = settledItems(
        uids.filter((uid) => positions.has(uid)),
        positions,
      );
      uids.forEach((uid, position) => {
        const [earlier, block] = [before.get(uid), after.get(uid)];
        if (!earlier || !block || settled.has(uid)) return;
        moved.push({ uid, component: block.component, from: placeOf(earlier, before), to: { path: slotName(slot), position } });
      });
    }
  return moved;
}

const placeOf = ({ uid, slot }: FlatBlock, blocks: ReadonlyMap<string, FlatBlock>): BlockPlace => ({
  path: slotName(slot),
  position: slot ? (blocks.get(slot.uid)?.lists.get(slot.key)?.indexOf(uid) ?? 0) : 0,
});
