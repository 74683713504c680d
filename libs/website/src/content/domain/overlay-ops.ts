import { isBlocksField, type Block } from './content-form';
import type { OpsContext } from './content-ops';
import { notLocalized, requireField, requireText, requireValue, unknownBlock, type ContentOp } from './op';
import { overlayKey, type Overlay } from './overlays';
import { placedBlocks } from './tree';

export interface ChangedOverlay {
  readonly overlay: Overlay;
  /** Keys that were written, also where the value stayed. */
  readonly confirmed: ReadonlySet<string>;
}

/** Applies operations outside the default locale: they write values of localized fields, also where these equal the fallback, and take them out. */
export function applyOverlayOps(
  tree: Block,
  overlay: Overlay,
  ops: readonly ContentOp[],
  { find, at }: Omit<OpsContext, 'newUid'>,
): ChangedOverlay {
  const blocks = new Map(placedBlocks(tree, find).map(({ block }) => [block._uid, block]));
  const values = new Map(Object.entries(overlay));
  const confirmed = new Set<string>();
  ops.forEach((op, position) => {
    const here = `${at}[${position}]`;
    if (op.op !== 'set' && op.op !== 'unset') throw notLocalized(`${here}.op`, 'Blocks');
    const block = blocks.get(requireText(op.uid, `${here}.uid`));
    if (!block) throw unknownBlock(op.uid ?? '');
    const key = requireText(op.key, `${here}.key`);
    const field = requireField(block, key, find, `${here}.key`);
    if (field.localized !== true || isBlocksField(field)) throw notLocalized(`${here}.key`, field.label);
    const name = overlayKey(block._uid, key);
    if (op.op === 'unset') {
      values.delete(name);
      confirmed.delete(name);
      return;
    }
    values.set(name, requireValue(op, here));
    confirmed.add(name);
  });
  return { overlay: Object.fromEntries(values), confirmed };
}
