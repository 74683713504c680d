import type { JsonObject } from '@atrium/platform/kernel';

/** Where and how one part is sent. */
export interface PartLink {
  readonly part: number;
  readonly upl_url: string;
  readonly upl_headers: JsonObject;
}

/** A part that storage holds; 1 for the whole body of a single upload. */
export interface HeldPart {
  readonly part: number;
  readonly size: number;
  readonly etag: string;
}

/** How the bytes of an upload get to storage, and which of them are there. */
export interface UploadLinks {
  readonly upl_url: string | null;
  readonly upl_method: 'PUT' | null;
  readonly upl_headers: JsonObject;
  readonly upl_parts: readonly PartLink[];
  readonly upl_received: readonly HeldPart[];
}

/** An upload that takes no more bytes. */
export const NO_LINKS: UploadLinks = { upl_url: null, upl_method: null, upl_headers: {}, upl_parts: [], upl_received: [] };
