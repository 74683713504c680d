import { Injectable } from '@nestjs/common';

/** The page of a content management system that a node is linked to. */
export interface NodeCms {
  readonly external_id: string;
  readonly verdict: string;
  readonly pulled: Date | null;
  readonly pushed: Date | null;
}

type NodeCmsSource = (node_ids: readonly string[]) => Promise<ReadonlyMap<string, NodeCms>>;

/** Asks which nodes are linked to pages elsewhere. Synchronization registers here when the service starts, as it is built on nodes. */
@Injectable()
export class CmsOfNodes {
  private source: NodeCmsSource = () => Promise.resolve(new Map());

  register(source: NodeCmsSource): void {
    this.source = source;
  }

  /** Those that are linked; one statement for all. */
  findLinks(node_ids: readonly string[]): Promise<ReadonlyMap<string, NodeCms>> {
    return this.source(node_ids);
  }
}
