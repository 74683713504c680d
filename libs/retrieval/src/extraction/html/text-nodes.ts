import type { AnyNode } from 'domhandler' with { 'resolution-mode': 'import' };
import type { SignCounts } from '../text/sign-counts';

/** What shows nothing, or is no text of the page. */
const NO_TEXT =
  'head,script,style,noscript,template,nav,menu,dialog,iframe,object,canvas,audio,video,svg,button,select,textarea,datalist,[hidden],[aria-hidden="true"],[role="navigation"],[role="search"]';

/** Adds the words of every text that the elements of a page hold. */
export async function countTextNodes(html: string, counts: SignCounts): Promise<void> {
  const { load } = await import('cheerio');
  const $ = load(html);
  $(NO_TEXT).remove();
  const waiting: AnyNode[] = $.root().toArray();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (String(node.type) === 'text' && 'data' in node) counts.add(node.data);
    else if ('children' in node) for (const child of node.children) waiting.push(child);
  }
}
