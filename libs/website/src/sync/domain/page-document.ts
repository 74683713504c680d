import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

/** Values of one locale by `<_uid>.<key>`. */
export type Overlay = Readonly<Record<string, JsonValue>>;

/** What is compared and carried between this service and a CMS. External identities stand for pages, files and parents. */
export interface PageDocument {
  readonly name: string;
  /** By locale of the site. */
  readonly slugs: Readonly<Record<string, string>>;
  /** External identity of the page above. */
  readonly parent: string | null;
  /** The `tpl_key` of the page. */
  readonly template: string;
  readonly kind: 'page' | 'folder' | 'link';
  /** The root block in the default locale: `{_uid, component, …fields}`, blocks nested. */
  readonly content: JsonObject;
  /** Values of other locales. */
  readonly overlays: Readonly<Record<string, Overlay>>;
  readonly seo: JsonObject;
  /** Rank among siblings at the CMS; null where the CMS has none. */
  readonly order: number | null;
}
