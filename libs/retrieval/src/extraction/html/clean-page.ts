import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };
import type { AnyNode, Element, Text } from 'domhandler' with { 'resolution-mode': 'import' };
import { writeMath } from './page-math';
import { writeTicks } from './page-ticks';
import { showSigns } from './shown-signs';

/** Elements that show nothing, run something, or ask for something. */
const NOT_TEXT =
  'script,style,noscript,template,iframe,frame,object,embed,applet,svg,math annotation,math annotation-xml,canvas,audio,video,source,track,form>input,input,button,select,textarea,option,datalist,dialog,link,meta:not([charset]),[hidden],[aria-hidden="true"]';
/** Parts of a page around its text. */
const AROUND = 'nav,[role="navigation"],[role="search"],[role="banner"] nav,[role="dialog"],[role="alertdialog"],menu';
const CONSENT =
  /(?:^|[-_\s])(?:cookies?|consent|gdpr|cc-window|onetrust|cookiebot|usercentrics)(?:$|[-_\s])|cookie-?(?:bar|banner|notice|law)/i;
/** A consent banner has few characters and elements; a page that only mentions cookies in a class has more. */
const LONGEST_BANNER = 3_000;
/** A recipe of cookies or a form of consent is a page, whatever the names of its parts. */
const CONTENT: ReadonlySet<string> = new Set(['main', 'article', 'h1']);
/** Elements inside each other, beyond which only the text is kept. */
const DEEPEST = 200;

/** Takes out what is no text of the page, and makes every address absolute. */
export function cleanPage($: CheerioAPI, baseUrl: string | undefined): void {
  flattenDeepElements($);
  const base = baseOf($, baseUrl);
  $('[hidden],[aria-hidden="true"]').remove();
  writeTicks($);
  $(NOT_TEXT).remove();
  $(AROUND).remove();
  removeConsent($);
  writeMath($);
  showSigns($);
  for (const [selector, attribute] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    $(selector).each((_, element) => {
      const address = absolute(element.attribs[attribute] ?? '', base);
      if (address === undefined) delete element.attribs[attribute];
      else element.attribs[attribute] = address;
    });
  }
}

/** Banners that ask for consent to cookies. */
export function removeConsent($: CheerioAPI): void {
  $('[id],[class]').each((_, element) => {
    const names = `${element.attribs['id'] ?? ''} ${element.attribs['class'] ?? ''}`;
    if (!/^(?:html|body|main|article)$/.test(element.name) && CONSENT.test(names) && isShort(element) && !isInContent(element)) {
      $(element).remove();
    }
  });
}

const isContent = (node: AnyNode): boolean => 'attribs' in node && (CONTENT.has(node.name) || node.attribs['role'] === 'main');

function isInContent({ parent }: Element): boolean {
  for (let above: Pick<AnyNode, 'parent'> | null = parent; above; above = above.parent) if (isContent(above as AnyNode)) return true;
  return false;
}

/** Looks no further than a banner goes: banners may be inside each other. What holds the content of the page is none. */
function isShort(element: AnyNode): boolean {
  const waiting: AnyNode[] = [element];
  let [characters, nodes] = [0, 0];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    characters += isText(node) ? node.data.length : 0;
    if (isContent(node) || ++nodes > LONGEST_BANNER || characters >= LONGEST_BANNER) return false;
    if ('children' in node) for (const child of node.children.slice(0, LONGEST_BANNER)) waiting.push(child);
    if (waiting.length > LONGEST_BANNER) return false;
  }
  return true;
}

/** The address that others on the page start from; its own `base` may change it. */
function baseOf($: CheerioAPI, baseUrl: string | undefined): string | undefined {
  const own = $('base[href]').first().attr('href');
  return own === undefined ? baseUrl : (absolute(own, baseUrl) ?? baseUrl);
}

function absolute(address: string, base: string | undefined): string | undefined {
  // A place on the same page is no link to follow.
  if (address.startsWith('#')) return undefined;
  try {
    const { protocol, href } = new URL(address.trim(), base);
    return /^(?:https?|mailto|tel):$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Elements that are nested too deep are replaced by their text: everything behind this walks a page by recursion. */
export function flattenDeepElements($: CheerioAPI): void {
  const waiting: { readonly node: AnyNode; readonly depth: number }[] = $.root()
    .toArray()
    .map((node) => ({ node, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    if (!('children' in node)) continue;
    if (depth >= DEEPEST && 'attribs' in node) $(node).replaceWith(textBelow(node));
    else for (const child of node.children) waiting.push({ node: child, depth: depth + 1 });
  }
}

const NO_WORDS = new Set(['script', 'style']);

const isText = (node: AnyNode): node is Text => 'data' in node && String(node.type) === 'text';

function textBelow(element: Element): string {
  const texts: string[] = [];
  const waiting: AnyNode[] = [element];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isText(node)) texts.push(node.data);
    else if ('children' in node && !('name' in node && NO_WORDS.has(node.name)))
      for (const child of [...node.children].reverse()) waiting.push(child);
  }
  return texts.join(' ').replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'));
}
