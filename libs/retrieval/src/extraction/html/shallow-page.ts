/** Unambiguous on purpose: a tag that never ends costs no more than its own length. */
const TAG = /<(\/?)([a-z][^\s/<>]*)(?:[\s/][^<>]*)?>/gi;
/** Elements that hold nothing and have no end tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);
/** No page that people wrote is that deep. */
const DEEPEST = 1_000;

/**
 * The page without the tags of elements that are nested too deeply; their text stays. The parser looks through all open
 * elements at each tag, so the time it needs grows with the square of the depth.
 */
export function shallowPage(html: string): string {
  let depth = 0;
  return html.replace(TAG, (tag, end: string, name: string) => {
    if (VOID.has(name.toLowerCase()) || tag.endsWith('/>')) return tag;
    if (end === '') return ++depth > DEEPEST ? ' ' : tag;
    return depth > 0 && depth-- > DEEPEST ? ' ' : tag;
  });
}
