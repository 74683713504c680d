import { decodedMarkup } from '@atrium/platform/tabular';

/** A page as a site sends it. */
export interface SentPage {
  readonly bytes: Uint8Array;
  /** What the header `Content-Type` says. */
  readonly type: string;
}

const XHTML = /^\s*application\/xhtml\+xml\s*(?:;|$)/i;
/** Elements that XML may leave empty, and that HTML reads on to their end. */
const EMPTY_ELEMENT = /<(a|canvas|div|iframe|p|script|span|style|textarea|title)((?:\s[^<>]*)?)\/>/gi;

/** The HTML of a page. Its encoding is decided by all of its bytes, which takes a second for some pages of 5 MB. */
export function htmlOf({ bytes, type }: SentPage): string {
  const html = decodedMarkup(bytes, type);
  return XHTML.test(type) ? html.replace(EMPTY_ELEMENT, '<$1$2></$1>') : html;
}
