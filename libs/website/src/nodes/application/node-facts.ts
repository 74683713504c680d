import type { JsonObject } from '@atrium/platform/kernel';
import type { NodeKind } from '../domain/page-draft';
import type { Beside } from './node-order';

/** What a request says of a node beside its content. */
export interface NodeFacts extends Beside {
  readonly node_name?: string;
  readonly node_parent?: string | null;
  readonly node_slug?: string;
  readonly node_slugs?: Readonly<Record<string, unknown>>;
  readonly node_template?: string | null;
  readonly node_seo?: JsonObject;
  readonly node_link?: JsonObject | null;
  readonly node_tags?: readonly string[];
  readonly node_menu?: boolean;
  readonly node_metadata?: JsonObject;
}

export interface NewNode extends NodeFacts {
  readonly node_name: string;
  readonly node_kind?: NodeKind;
  readonly node_content?: JsonObject;
}
