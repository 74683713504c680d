import type { Principal } from '@atrium/platform/access';
import type { NodeState } from '../../nodes/domain/node-locale';
import type { Site } from '../../sites/domain/site';
import type { PageDocument } from '../../content/domain/page-document';

/** A page here without its content. */
export interface LocalSummary {
  readonly node_id: string;
  readonly node_parent: string | null;
  readonly node_name: string;
  readonly kind: 'page' | 'folder' | 'link';
  readonly isActive: boolean;
  /** Path in the default locale. */
  readonly path: string;
  /** Levels above it. */
  readonly depth: number;
  /** Differs whenever the structure or the content in any locale differs. */
  readonly stamp: string;
}

/** A page here with all its content. Parents and links to pages are ids of nodes, files are ids of files. */
export interface LocalPage extends LocalSummary {
  readonly document: PageDocument;
}

/** What a write leaves behind; nobody writes what comes from a CMS by itself. */
export interface LocalWrite {
  /** The locales that the document speaks of; values of the others stay as they are. */
  readonly locales: readonly string[];
  readonly kind: 'synced' | 'merged';
  readonly by: Principal | null;
  /** Whether the document says something of search engine metadata. */
  readonly carriesSeo: boolean;
}

/** Pages here as synchronization reads and writes them. Writes happen in the unit of work of the caller, and follow the rules of any other save. */
export abstract class LocalPages {
  /** Pages and folders in the order of their ids, those in the trash too. */
  abstract listSummaries(site: Site, after: string | null, most: number): Promise<readonly LocalSummary[]>;
  abstract findSummaries(site: Site, node_ids: readonly string[]): Promise<readonly LocalSummary[]>;
  /** Pages and folders at paths in the default locale, given without the first slash; those in the trash have none. */
  abstract findAtPaths(site: Site, paths: readonly string[]): Promise<readonly LocalSummary[]>;
  /** Those that exist, in a constant number of statements. */
  abstract readPages(site: Site, node_ids: readonly string[]): Promise<ReadonlyMap<string, LocalPage>>;
  /** The page, kept from every other change until the unit of work ends; null where it is gone. */
  abstract lockPage(site: Site, node_id: string): Promise<LocalPage | null>;
  /** Keeps the structure of the site from other changes, before pages are created, moved or deleted. */
  abstract lockStructure(site: Site): Promise<void>;
  /** A draft; its id. */
  abstract createPage(site: Site, document: PageDocument, write: LocalWrite): Promise<string>;
  abstract changePage(site: Site, node_id: string, document: PageDocument, write: LocalWrite): Promise<void>;
  /** To the trash; what is live of it goes down. */
  abstract trashPage(site: Site, node_id: string, by: Principal | null): Promise<void>;
  abstract restorePage(site: Site, node_id: string, by: Principal | null): Promise<void>;
  /** Whether the page is live, by locale. */
  abstract readStates(node_id: string): Promise<Readonly<Record<string, NodeState>>>;
  /** Refuses a page whose draft has no approval, where a flow asks for it. */
  abstract assertApproved(site: Site, node_id: string): Promise<void>;
  /** Publishes the drafts in all active locales; refusals are those of any other publish. */
  abstract publishPage(site: Site, node_id: string, by: Principal | null): Promise<void>;
}
