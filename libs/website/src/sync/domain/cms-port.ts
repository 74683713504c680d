import type { Readable } from 'node:stream';
import type { JsonObject } from '@atrium/platform/kernel';
import type { MappedSchema, RemoteSchema, SchemaBook, SchemaDraft, Unsupported } from './cms-schema';
import type { PageDocument } from '../../content/domain/page-document';

export const CMS_PROVIDERS = ['storyblok', 'contentful'] as const;
export type CmsProvider = (typeof CMS_PROVIDERS)[number];

/** A CMS that a site is connected to: its settings, checked by the adapter, and its secrets in clear. */
export interface CmsConnection {
  readonly settings: JsonObject;
  readonly secrets: { readonly token: string; readonly signingSecret?: string | undefined };
}

/** Who asks: the connection, and how long the answer is awaited. */
export interface CmsCall {
  readonly connection: CmsConnection;
  readonly signal: AbortSignal;
  /** Asks once only, for people who wait for the answer. */
  readonly once?: boolean | undefined;
  /** Called while the CMS is waited for, so that the wait counts as work; may end it by an error. */
  readonly waiting?: ((wait: { readonly tried: number; readonly leftMs: number }) => Promise<void>) | undefined;
}

export interface CmsCapabilities {
  readonly drafts: boolean;
  readonly locales: boolean;
  readonly tree: boolean;
  /** Whether a saved draft is reported by a webhook. */
  readonly draft_events: boolean;
  readonly signed_webhooks: boolean;
  /** Whether a write names the version that it replaces. */
  readonly version_lock: boolean;
  readonly assets: boolean;
  /** Whether a locale is published apart from the others. */
  readonly publish_by_locale: boolean;
  /** Units of a page document that the CMS has a place for; the others are left out of comparisons. */
  readonly carries: {
    readonly seo: boolean;
    readonly order: boolean;
    /** The name of a page is its own; elsewhere it is its title, which is content. */
    readonly name: boolean;
    /** What describes a file is kept with the page that shows it, not with the file. */
    readonly asset_texts: boolean;
    /** The root block has an identity of its own; elsewhere it is the page. */
    readonly root: boolean;
  };
}

export interface RemoteLocale {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

export interface RemoteSpace {
  readonly id: string;
  readonly name: string;
  readonly locales: readonly RemoteLocale[];
  readonly capabilities: CmsCapabilities;
  /** The settings, with what was guessed where nothing was said. */
  readonly settings: JsonObject;
}

export const VERIFY_STEPS = ['space', 'locales', 'pages', 'schemas'] as const;
export type VerifyStep = (typeof VERIFY_STEPS)[number];

/** Published, changed since, or neither, by locale of the CMS where it publishes by locale, else under `*`. */
export type RemoteState = 'draft' | 'published' | 'changed';

/** A page as a list shows it. */
export interface RemoteSummary {
  readonly external_id: string;
  readonly external_path: string;
  /** The path that it has here in the default locale, without the first slash; empty for the home page. */
  readonly path: string;
  /** Differs whenever the content of the page or of a block in it differs. */
  readonly external_version: string;
  readonly name: string;
  /** External identity of the page above. */
  readonly parent: string | null;
  readonly states: Readonly<Record<string, RemoteState>>;
  /** A page that was archived counts as deleted. */
  readonly isDeleted: boolean;
}

/** A page with all that is needed to map it and to write it back. */
export interface RemotePage extends RemoteSummary {
  readonly raw: JsonObject;
}

/** Some pages of a list, and where the next ones begin; null behind the last. The cursor can be stored and resumed. */
export interface RemoteList {
  readonly pages: readonly RemoteSummary[];
  readonly next: JsonObject | null;
  /** Pages in all, as the CMS says by now; null where it does not. */
  readonly total: number | null;
}

/** A page to be written: made by the mapping, understood by the adapter of the same CMS alone. */
export interface RemoteDraft {
  readonly raw: JsonObject;
  /** Blocks that are no longer part of the page and stay at the CMS, where blocks are pages of their own. */
  readonly left: readonly string[];
}

export interface PageCreation {
  /** The page here; an identity at the CMS that can be repeated is derived from it. */
  readonly node_id: string;
  readonly draft: RemoteDraft;
}

export interface PageChange {
  /** The page as it was compared: the write fails with `conflict_version` where it changed since. */
  readonly seen: RemotePage;
  readonly draft: RemoteDraft;
  /** Overrides an editor's lock, and changes blocks that other pages use. Never overrides a version. */
  readonly force: boolean;
}

export interface PageStateChange {
  readonly page: RemotePage;
  /** Locales of the CMS; null: all. */
  readonly locales: readonly string[] | null;
}

/** A file that is sent to the CMS. */
export interface OutgoingAsset {
  readonly hash: string;
  readonly name: string;
  readonly type: string;
  readonly length: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly title?: string | undefined;
  readonly alt?: string | undefined;
  /** Opened again for each try. */
  readonly open: () => Promise<Readable>;
}

export interface RemoteAsset {
  readonly external_id: string;
  readonly url: string;
}

export interface WebhookWish {
  readonly site_id: string;
  readonly url: string;
  /** Made here; signs events where the CMS takes a secret of ours, and travels as a secret header where it does not. */
  readonly secret: string;
}

export interface RemoteWebhook {
  readonly external_id: string;
  readonly url: string;
  readonly actions: readonly string[];
  /** Whether events are signed; without it the address alone authenticates them. */
  readonly signed: boolean;
}

/** A request that came in at the address of a webhook. */
export interface WebhookRequest {
  readonly method: string;
  /** Path and query as they were requested. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface WebhookSecrets {
  readonly secret: string;
  readonly signed: boolean;
  /** The key of the space by which Contentful signs; null where none is known. */
  readonly signingSecret: string | null;
}

/** What an event names. Its content is never taken: the pages are read and compared. */
export interface WebhookEvent {
  /** Equal for a repeated delivery; null where the CMS names none. */
  readonly key: string | null;
  readonly pages: readonly { readonly external_id: string | null; readonly external_path: string | null }[];
}

/** How languages and components of both sides correspond. */
export interface MappingContext {
  readonly default_locale: string;
  /** Codes at the CMS by locale of the site, the default among them. */
  readonly locales: Readonly<Record<string, string>>;
  readonly schemas: SchemaBook;
  readonly settings: JsonObject;
}

export interface MappedDocument {
  readonly document: PageDocument;
  readonly unsupported: readonly Unsupported[];
}

export interface RemoteSchemaDraft {
  readonly raw: JsonObject;
  readonly unsupported: readonly Unsupported[];
}

/** Pages and schemas of a CMS in the neutral form, and back. Pure: nothing is asked of the CMS. */
export interface CmsMapping {
  /** All schemas at once, since keys are unique in a library. Those that are known keep their keys and those of their fields. */
  toSchemas(remote: readonly RemoteSchema[], known: readonly MappedSchema[], settings: JsonObject): readonly MappedSchema[];
  /** The declaration to send: that of the CMS with the changes of the draft. Equal to it where nothing differs. */
  toRemoteSchema(draft: SchemaDraft, book: SchemaBook): RemoteSchemaDraft;
  toDocument(page: RemotePage, context: MappingContext): MappedDocument;
  /** The page to send. What is equal on both sides is sent as the CMS has it, and so is what has no equivalent here. */
  toRemote(document: PageDocument, seen: RemotePage | null, context: MappingContext): RemoteDraft;
}

/** A CMS product. Its refusals and failures are `CmsProblem`s; every answer is checked before anything is made of it. */
export interface CmsPort {
  readonly provider: CmsProvider;
  readonly mapping: CmsMapping;
  /** The settings with their defaults; refuses those that cannot be used, with the path of each. */
  checkSettings(settings: JsonObject): JsonObject;
  /** Reads the space, its locales, one page and the schemas; a problem names the step it was met at. */
  verifyConnection(call: CmsCall): Promise<RemoteSpace>;
  listPages(call: CmsCall, cursor: JsonObject | null): Promise<RemoteList>;
  readPage(call: CmsCall, external_id: string): Promise<RemotePage>;
  /** The page at a path, so that a page that is there already is adopted; null where there is none. */
  findPage(call: CmsCall, external_path: string): Promise<RemotePage | null>;
  /** The path at the CMS of a page that has a path here. */
  toExternalPath(call: CmsCall, path: string): string;
  /** The page that was created for a node, where its identity follows from the node; null where it does not, or there is none. */
  findCreatedPage(call: CmsCall, node_id: string): Promise<RemotePage | null>;
  createPage(call: CmsCall, creation: PageCreation): Promise<RemotePage>;
  changePage(call: CmsCall, change: PageChange): Promise<RemotePage>;
  publishPage(call: CmsCall, change: PageStateChange): Promise<RemotePage>;
  unpublishPage(call: CmsCall, change: PageStateChange): Promise<RemotePage>;
  /** Unpublishes and deletes it; one that is gone already is deleted. */
  removePage(call: CmsCall, external_id: string): Promise<void>;
  listSchemas(call: CmsCall): Promise<readonly RemoteSchema[]>;
  /** Creates or changes a schema; fails with `conflict_version` where it is no longer as it was seen. */
  writeSchema(call: CmsCall, raw: JsonObject, seen: RemoteSchema | null): Promise<RemoteSchema>;
  sendAsset(call: CmsCall, asset: OutgoingAsset): Promise<RemoteAsset>;
  createWebhook(call: CmsCall, wish: WebhookWish): Promise<RemoteWebhook>;
  findWebhook(call: CmsCall, wish: Pick<WebhookWish, 'site_id' | 'url'>): Promise<RemoteWebhook | null>;
  /** One that is gone already is removed. */
  removeWebhook(call: CmsCall, external_id: string): Promise<void>;
  isAuthentic(request: WebhookRequest, secrets: WebhookSecrets, now: Date): boolean;
  /** Pages that an event names; a page that is gone may be named by its path alone. */
  readEvent(call: CmsCall, request: WebhookRequest): WebhookEvent;
}
