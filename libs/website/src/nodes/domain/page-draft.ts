import type { JsonObject } from '@atrium/platform/kernel';
import type { Site } from '../../sites/domain/site';

export const NODE_KINDS = ['page', 'folder', 'link'] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** What keeps a draft from being published (`error`), or what its authors should know (`warning`). */
export interface NodeIssue {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly locale: string | null;
  readonly path: string;
  readonly message: string;
}

/** A page of the site or a file that a draft refers to. */
export interface DraftReference {
  readonly kind: 'page' | 'file';
  readonly ref: string;
}

/** A draft that is asked for: of a version, or the one that is edited now. */
export interface DraftRef {
  readonly node_id: string;
  readonly locale: string;
  readonly ver_id?: string;
}

/** What a preview of a node in a locale shows. */
export interface PageDraft {
  readonly node_id: string;
  readonly locale: string;
  readonly kind: NodeKind;
  readonly parent: string | null;
  readonly lineage: string;
  readonly order: string;
  /** The segment of the path in this locale. */
  readonly slug: string;
  readonly name: string;
  /** Id of the content schema; null of folders and links. */
  readonly template: string | null;
  readonly link: JsonObject | null;
  readonly tags: readonly string[];
  readonly menu: boolean;
  readonly seo: JsonObject;
  /** The tree with the values of the locale, missing ones from its fallbacks. */
  readonly content: JsonObject;
  /** SHA-256 of all of it: equal hashes show the same. */
  readonly hash: string;
  readonly issues: readonly NodeIssue[];
  readonly references: readonly DraftReference[];
  /** The version it was read from; null: the draft that is edited. */
  readonly version: string | null;
  readonly row_version: number;
  readonly nl_revision: number;
}

/** What drafts need to know of their site. */
export type SiteOfDrafts = Pick<Site, 'site_id' | 'site_library' | 'site_default_locale' | 'site_locales'>;

/** What is known of a site whose pages are taken down. */
export type SiteOfLivePages = SiteOfDrafts & Pick<Site, 'site_base_url'>;
