import { decodedMarkup } from '@atrium/platform/tabular';

/** Unambiguous on purpose: a tag that never ends costs no more than its own length. */
const TAG = /<([a-z][^\s/<>]*)(?:[\s/][^<>]*)?>/gi;
/** Elements of HTML that have no end tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);

/** XHTML as HTML: what is written as an empty element (`<title/>`, `<a id="x"/>`) would hold all that follows it. */
export function htmlOfXhtml(bytes: Buffer): string {
  return decodedMarkup(bytes).replace(TAG, (tag, name: string) =>
    tag.endsWith('/>') && !VOID.has(name.toLowerCase()) ? `${tag.slice(0, -2)}></${name}>` : tag,
  );
}
