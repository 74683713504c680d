import type { JsonObject } from '@atrium/platform/kernel';

<<<<<<< HEAD
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
=======
export const LOCALE_STATES = ['draft', 'published', 'changed', 'unpublished'] as const;
export type LocaleState = (typeof LOCALE_STATES)[number];

/** What a locale says of a node. */
export interface NodeLocale {
  readonly nl_node: string;
  readonly nl_locale: string;
  readonly nl_site: string;
  readonly nl_parent: string | null;
  readonly nl_active: boolean;
  readonly nl_slug: string;
  readonly nl_overlay: JsonObject;
  readonly nl_seo: JsonObject;
  /** Of each overlay value, the hash of what it translates. */
>>>>>>> h-site
  readonly nl_sources: Readonly<Record<string, string>>;
  readonly nl_revision: number;
  readonly nl_hash: string;
  readonly nl_missing: number;
  readonly nl_stale: number;
<<<<<<< HEAD
  readonly nl_status: NodeState;
  /** The hash of what is live; null where nothing is. */
  readonly live_hash: string | null;
}

/** What a draft is after a save: a different hash leaves `published`, the hash that is live comes back to it. */
export function stateAfterSave(state: NodeState, hash: string, live: string | null): NodeState {
  if (live === null) return state;
  return hash === live ? 'published' : 'changed';
=======
  readonly nl_status: LocaleState;
  readonly nl_live_slug: string | null;
  readonly nl_first_published: Date | null;
  readonly nl_updated: Date;
  readonly nl_updated_by: string | null;
>>>>>>> h-site
}
