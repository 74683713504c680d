import type { JsonObject } from '@atrium/platform/kernel';
import type { TreeNode } from './delivered';

/** A live node with its place. */
export interface PlacedNode {
  readonly node_id: string;
  readonly parent: string | null;
  readonly kind: 'page' | 'folder' | 'link' | 'segment';
  readonly name: string;
  readonly path: string;
  readonly link: JsonObject | null;
  readonly menu: boolean;
  readonly template: string | null;
}

/**
 * The tree of what is live, in the order of the rows. With `menu`, entries that menus leave out are missing with all that is below
 * them. Segments are seen by nobody: what is below them is below their parents.
 */
export function buildLiveTree(
  rows: readonly PlacedNode[],
  { menu, depth }: { readonly menu: boolean; readonly depth: number },
): readonly TreeNode[] {
  const children = new Map<string | null, PlacedNode[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const below = (parent: string | null, level: number): TreeNode[] =>
    level > depth
      ? []
      : (children.get(parent) ?? []).flatMap((row) => {
          if (row.kind === 'segment') return below(row.node_id, level);
          if (menu && !row.menu) return [];
          const { node_id, kind, name, path, link, template } = row;
          return [{ node_id, kind, name, path: kind === 'page' ? path : null, link, template, children: below(node_id, level + 1) }];
        });
  return below(null, 1);
}
