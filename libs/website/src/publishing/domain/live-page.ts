import type { JsonObject } from '@atrium/platform/kernel';
import type { LivePlace } from './publish-plan';

/** A node that is live in a locale. Rows are closed, never changed: a page that gets another path is closed and opened again. */
export interface LivePage extends LivePlace {
  readonly np_id: string;
  readonly node_id: string;
  readonly locale: string;
  readonly hash: string;
  readonly snapshot: string | null;
  readonly order: string;
  readonly name: string;
  readonly first_published: Date;
}

/** A node that goes live. */
export interface NewLivePage extends LivePlace {
  readonly np_id: string;
  readonly node_id: string;
  readonly locale: string;
  readonly order: string;
  readonly name: string;
  readonly template: string | null;
  readonly link: JsonObject | null;
  readonly tags: readonly string[];
  readonly menu: boolean;
  readonly noindex: boolean;
  readonly hash: string;
  readonly snapshot: string | null;
  readonly version: string | null;
  readonly first_published: Date;
}

/** The draft of a node in one locale, as far as its place and state are concerned. */
export interface DraftStructure {
  readonly node_id: string;
  readonly locale: string;
  readonly parent: string | null;
  readonly lineage: string;
  readonly kind: 'page' | 'folder' | 'link';
  readonly slug: string;
  readonly order: string;
  readonly name: string;
  readonly menu: boolean;
  readonly tags: readonly string[];
  readonly hash: string;
  readonly active: boolean;
  /** Whether the locale says anything of its own: it is the default one, has translations, or is live. */
  readonly is_written: boolean;
}

/** A live page whose place changes, with the locale. */
export interface MovedPage {
  readonly locale: string;
  readonly node_id: string;
  readonly old_lineage: string;
  readonly new_lineage: string;
  readonly old_path: string;
  readonly new_path: string;
}

/** Content that was frozen: what one locale of a page showed when it was published. */
export interface Snapshot {
  readonly snap_id: string;
  readonly node_id: string;
  readonly locale: string;
  readonly template: string | null;
  readonly hash: string;
  readonly doc: SnapshotDocument;
  readonly references: readonly SnapshotReference[];
}

export interface SnapshotDocument {
  readonly content: JsonObject;
  readonly seo: JsonObject;
  /** Where it refers to pages and files, and where its documents are: delivery needs no schema. */
  readonly places: readonly ContentPlace[];
  /** The files it shows, by id, as they were: delivery asks nobody else. */
  readonly files: Readonly<Record<string, FrozenFile>>;
}

/** A reference or a document in content, by its path: `body[2].button.ref`. */
export interface ContentPlace {
  readonly kind: 'page' | 'file' | 'doc';
  readonly path: string;
  /** The page or file; empty for a document. */
  readonly ref: string;
}

/** What is shown of a file beside its bytes. */
export interface FrozenFile {
  readonly hash: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
}

export interface SnapshotReference {
  readonly kind: 'page' | 'file';
  readonly ref: string;
  readonly hash: string;
}
