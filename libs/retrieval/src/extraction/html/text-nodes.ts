import type { AnyNode } from 'domhandler' with { 'resolution-mode': 'import' };
import type { SignCounts } from '../text/sign-counts';
import { flattenDeepElements, removeConsent } from './clean-page';
import { shallowPage } from './shallow-page';

/** What shows nothing, or is no text of the page. */
const NO_TEXT =
  'head,script,style,noscript,template,nav,menu,dialog,iframe,object,canvas,audio,video,svg,annotation,annotation-xml,mphantom,m\\:annotation,mml\\:annotation,button,select,textarea,datalist,[hidden],[aria-hidden="true"],[role="navigation"],[role="search"]';

/** What is around the text of a page that was sent by a site. */
const AROUND = 'footer,aside,body>header';

/** Adds the words of every text that the elements of a page hold; with `around`, also those of its header, footer and asides. */
export async function countTextNodes(html: string, counts: SignCounts, { around }: { readonly around: boolean }): Promise<void> {
  const { load } = await import('cheerio');
  const $ = load(shallowPage(html));
  flattenDeepElements($);
  $(NO_TEXT).remove();
  if (!around) {
    $(AROUND).remove();
    removeConsent($);
  }
  const waiting: AnyNode[] = $.root().toArray();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (String(node.type) === 'text' && 'data' in node) counts.add(node.data);
    else if ('children' in node) for (const child of node.children) waiting.push(child);
  }
}
