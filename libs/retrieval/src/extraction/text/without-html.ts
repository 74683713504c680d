import type { Nodes } from 'mdast' with { 'resolution-mode': 'import' };
import { shiftMark } from '@atrium/platform/kernel';
import { htmlToMarkdown } from '../html/page-text';

const MAY_HOLD_HTML = /<[a-z/!?]/i;
/** Characters beside a tag that say whether it parts numbers. */
const BESIDE = 16;

/** A markdown whose HTML gave way to what it shows: a block to its markdown, a tag within a line to nothing. */
export async function withoutHtml(markdown: string): Promise<string> {
  if (!MAY_HOLD_HTML.test(markdown)) return markdown;
  const [{ fromMarkdown }, { gfmFromMarkdown }, { gfm }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('mdast-util-gfm'),
    import('micromark-extension-gfm'),
  ]);
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const parts: string[] = [];
  // Of what is written so far: a look at the whole would copy it for every tag.
  let tail = '';
  const write = (part: string): void => {
    parts.push(part);
    tail = (tail + part.slice(-BESIDE)).slice(-BESIDE);
  };
  let at = 0;
  for (const { start, end, inLine } of htmlIn(tree)) {
    const html = markdown.slice(start, end);
    write(markdown.slice(at, start));
    if (!inLine) write(showsNothing(html) ? '' : await htmlToMarkdown(html));
    else write(/^<br\b/i.test(html) ? ' ' : shiftMark(html, tail, markdown.slice(end, end + BESIDE)));
    at = end;
  }
  return parts.join('') + markdown.slice(at);
}

/** Tags alone, of which there may be thousands: no page has to be built to know. */
const showsNothing = (html: string): boolean => html.replace(/<\/?(?!img)[a-z][^<>]*>/gi, '').trim() === '';

interface Place {
  readonly start: number;
  readonly end: number;
  /** Between the words of a paragraph, where a tag is alone. */
  readonly inLine: boolean;
}

const IN_LINE = new Set(['paragraph', 'heading', 'emphasis', 'strong', 'delete', 'link', 'tableCell']);

/** The places of HTML, in order. */
function htmlIn(tree: Nodes): Place[] {
  const places: Place[] = [];
  const waiting: { readonly node: Nodes; readonly inLine: boolean }[] = [{ node: tree, inLine: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, inLine } = next;
    const [start, end] = [node.position?.start.offset, node.position?.end.offset];
    if (node.type === 'html' && start !== undefined && end !== undefined) places.push({ start, end, inLine });
    if ('children' in node) {
      for (const child of [...node.children].reverse()) waiting.push({ node: child, inLine: IN_LINE.has(node.type) });
    }
  }
  return places;
}
