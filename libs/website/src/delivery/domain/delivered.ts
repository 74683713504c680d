import type { JsonObject } from '@atrium/platform/kernel';

/** A page in another locale. */
export interface Alternate {
  readonly locale: string;
  readonly path: string;
}

export interface Breadcrumb {
  readonly node_id: string;
  readonly name: string;
  /** Null where nothing is at the path: folders have no page. */
  readonly path: string | null;
}

/** A page as visitors get it. */
export interface PageAnswer {
  readonly kind: 'page';
  readonly node_id: string;
  readonly locale: string;
  readonly path: string;
  readonly name: string;
  readonly template: string | null;
  readonly content: JsonObject;
  readonly seo: JsonObject;
  readonly alternates: readonly Alternate[];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly published: Date | null;
  readonly first_published: Date | null;
  /** Number of the site from which on it is live; null for a draft. */
  readonly seq: number | null;
}

/** An address that leads elsewhere. */
export interface RedirectAnswer {
  readonly kind: 'redirect';
  readonly status: number;
  readonly location: string;
}

/** A live page in a list. */
export interface ListedPage extends Omit<PageAnswer, 'kind' | 'alternates' | 'breadcrumbs'> {
  readonly tags: readonly string[];
}

/** What is live, as menus show it. */
export interface TreeNode {
  readonly node_id: string;
  readonly kind: 'page' | 'folder' | 'link';
  readonly name: string;
  /** Null of folders and links. */
  readonly path: string | null;
  /** The target of a link, with its address. */
  readonly link: JsonObject | null;
  readonly template: string | null;
  readonly children: readonly TreeNode[];
}
