/** What came of asking for a page. */
export type PageReading =
  | {
      readonly kind: 'page';
      /** Where the answer came from in the end. */
      readonly address: string;
      /** As they came: decoding them is the work of the process that reads the page. */
      readonly bytes: Uint8Array;
      /** What the header `Content-Type` says. */
      readonly type: string;
      readonly status: number;
      readonly etag: string | null;
      readonly last_modified: string | null;
      /** What the header `X-Robots-Tag` says. */
      readonly robots: string;
      /** The canonical address that the header `Link` names. */
      readonly canonical: string | null;
      /** Where the header `Refresh` sends its reader. */
      readonly refresh: string | null;
    }
  | { readonly kind: 'unchanged'; readonly status: number }
  | { readonly kind: 'missing'; readonly status: number }
  /** It is no page of this crawl. */
  | { readonly kind: 'skipped'; readonly status: number | null; readonly reason: string }
  /** Asking again would answer the same. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string }
  /** Asking again later may help. */
  | { readonly kind: 'later'; readonly status: number | null; readonly reason: string; readonly afterMs: number | null };
