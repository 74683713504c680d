import type { JsonObject } from '@atrium/platform/kernel';

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
  readonly nl_sources: Readonly<Record<string, string>>;
  readonly nl_revision: number;
  readonly nl_hash: string;
  readonly nl_missing: number;
  readonly nl_stale: number;
  readonly nl_status: LocaleState;
  readonly nl_live_slug: string | null;
  readonly nl_first_published: Date | null;
  readonly nl_updated: Date;
  readonly nl_updated_by: string | null;
}
