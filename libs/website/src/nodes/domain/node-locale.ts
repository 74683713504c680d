import type { JsonObject } from '@atrium/platform/kernel';

/** `changed`: what is live differs from the draft. `unpublished`: was live once. */
export const NODE_STATES = ['draft', 'published', 'changed', 'unpublished'] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** What a locale says of a node. Every locale of the site has one of every node. */
export interface NodeLocale {
  readonly nl_node: string;
  readonly nl_locale: string;
  readonly nl_parent: string | null;
  /** The segment of the path that is in effect. */
  readonly nl_slug: string;
  /** Values of localized fields by `<uid>.<key>` and `seo.<key>`; none of the default locale. */
  readonly nl_overlay: JsonObject;
  /** The hash of what each value translates. */
  readonly nl_sources: Readonly<Record<string, string>>;
  readonly nl_revision: number;
  readonly nl_hash: string;
  readonly nl_missing: number;
  readonly nl_stale: number;
  readonly nl_status: NodeState;
  /** The hash of what is live; null where nothing is. */
  readonly live_hash: string | null;
}

/** What every locale of a new node begins with. */
export const NEW_LOCALE = {
  nl_overlay: {},
  nl_sources: {},
  nl_revision: 1,
  nl_hash: '',
  nl_missing: 0,
  nl_stale: 0,
  nl_status: 'draft',
  live_hash: null,
} as const satisfies Partial<NodeLocale>;

/** What a draft is after a save: a different hash leaves `published`, the hash that is live comes back to it. */
export function stateAfterSave(state: NodeState, hash: string, live: string | null): NodeState {
  if (live === null) return state;
  return hash === live ? 'published' : 'changed';
}
