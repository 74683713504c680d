import { Injectable } from '@nestjs/common';
import { invalidField } from '@atrium/platform/kernel';
import type { Node } from '../domain/node';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { MOST_CHILDREN, tooManyChildren } from './node-problems';

/** Where nodes are in the tree of their site. Changes need the lock of the structure. */
@Injectable()
export class NodePlaces {
  constructor(private readonly nodes: NodesRepository) {}

  /** The active page or folder of the site that a request names as a parent; null: the top. */
  async requireParent(site_id: string, node_parent: string | null): Promise<Node | null> {
    if (node_parent === null) return null;
    const parent = await this.nodes.findRow(node_parent);
    if (parent?.node_site === site_id && parent.node_active && parent.node_kind !== 'link') return parent;
    throw invalidField('node_parent', 'must be an active page or folder of the same site', 'reference');
  }

  async assertRoomUnder(site_id: string, parent: string | null, count = 1): Promise<void> {
    const children = await this.nodes.countChildren({ site_id, parent }, MOST_CHILDREN);
    if (children + count > MOST_CHILDREN) throw tooManyChildren();
  }

  /** Puts a node below another parent; what is below it follows with `takeAlong`, once the node is saved. */
  async placeUnder({ node }: { readonly node: Node }, node_parent: string | null): Promise<void> {
    const parent = await this.requireParent(node.node_site, node_parent);
    node.placeUnder(parent, await this.nodes.countLevels(node));
    await this.assertRoomUnder(node.node_site, node.node_parent);
  }

  async takeAlong({ node_site, node_lineage }: Pick<Node, 'node_site' | 'node_lineage'>, from: string): Promise<void> {
    await this.nodes.moveDescendants(node_site, from, node_lineage);
  }
}
