import type { AnyNode } from 'domhandler' with { 'resolution-mode': 'import' };
import { refreshTarget } from './page-refresh';
import { pageText, titleOf } from './page-text';
import { holdsWords } from './page-words';
import { shallowPage } from './shallow-page';

/** Links of one page that are followed. */
const MOST_LINKS = 2_000;
/** Less text than this beside scripts is no page, but a program that writes one. */
const FEWEST_WORDS = 20;
/** A paragraph of so many words was written by someone; a program shows a word or two while it loads. */
const FEWEST_OF_A_PARAGRAPH = 5;
const PARAGRAPHS = 'h1,h2,h3,p,li,td,th,dt,dd,address,figcaption,blockquote,pre';
/** Frames of one page that are followed. */
const MOST_FRAMES = 20;
/** Types of scripts that hold data, of which nothing is shown. */
const DATA = /json|template|handlebars|importmap|rules/i;
const LONGEST_TITLE = 500;
/** Characters of an address that a page names: who asks reads them all. */
const LONGEST_LINK = 8_192;

/** What is read of a page. */
export interface PageWish {
  /** What the header `X-Robots-Tag` says. */
  readonly robots?: string | undefined;
  /** What the header `Refresh` says. */
  readonly refresh?: string | null | undefined;
  /** A CSS selector of the elements whose text is taken. */
  readonly selector?: string | null | undefined;
}

/** What a page is about, and what it asks of those who read it by program. */
export interface ReadPage {
  readonly title: string | null;
  readonly markdown: string;
  readonly language: string | null;
  /** As the page names it; it may lead anywhere. */
  readonly canonical: string | null;
  readonly links: readonly string[];
  /** Where the page sends its reader by itself (`<meta http-equiv="refresh">`). */
  readonly refresh: string | null;
  /** The pages that a frameset shows; they are among the links too. */
  readonly frames: readonly string[];
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** It holds next to no text, but scripts that may write some. */
  readonly needsBrowser: boolean;
}

/** Reads the HTML of a page; with a selector its text is that of the chosen elements alone. Links are those of the whole page. */
export async function readPage(html: string, address: string, wish: PageWish = {}): Promise<ReadPage> {
  const { load } = await import('cheerio');
  const $ = load(shallowPage(html));
  const base = $('base[href]').first().attr('href') ?? '';
  const from = absolute(base, address) ?? address;
  const asked = rulesOf([
    ...$('meta[name="robots" i],meta[name="atrium" i]')
      .toArray()
      .map(({ attribs }) => (attribs['content'] ?? '').trim().replace(/(?<!:)\s+/g, ',')),
    wish.robots ?? '',
  ]);
  const canonical = $('link[rel~="canonical" i][href]').first().attr('href');
  const scripts = $('script')
    .toArray()
    .filter(({ attribs }) => !DATA.test(attribs['type'] ?? '')).length;
  const frames = $('frameset frame[src]')
    .toArray()
    .slice(0, MOST_FRAMES)
    .flatMap(({ attribs }) => absolute(attribs['src'] ?? '', from) ?? []);
  const sentBy = $('meta[http-equiv="refresh" i][content]')
    .toArray()
    // What is in a template is in no page.
    .filter((element) => $(element).closest('noscript').length === 0 && $(element).closest('html').length > 0)
    .map(({ attribs }) => attribs['content'] ?? '');
  const refresh = [wish.refresh ?? '', ...sentBy]
    .flatMap((value) => refreshTarget(value) ?? [])
    .flatMap((target) => absolute(target, from) ?? [])[0];
  const links = $('a[href],area[href]')
    .toArray()
    .slice(0, MOST_LINKS)
    .filter(({ attribs }) => !/(?:^|\s)nofollow(?:\s|$)/i.test(attribs['rel'] ?? ''))
    .flatMap(({ attribs }) => absolute(attribs['href'] ?? '', from) ?? []);
  const chosen = typeof wish.selector === 'string' ? outermost($(wish.selector).toArray()) : undefined;
  const text = await pageText(chosen === undefined ? html : chosen.map((element) => $.html(element)).join('\n'), from);
  const { markdown } = text;
  const isProgram = (): boolean =>
    !holdsWords(markdown, FEWEST_WORDS) &&
    !$(PARAGRAPHS)
      .toArray()
      .some((element) => $(element).closest('noscript').length === 0 && holdsWords($(element).text(), FEWEST_OF_A_PARAGRAPH));
  return {
    title: (text.title ?? titleOf($))?.slice(0, LONGEST_TITLE) ?? null,
    markdown,
    language: text.language ?? /^[a-z]{2,3}/i.exec($('html').attr('lang') ?? '')?.[0].toLowerCase() ?? null,
    canonical: canonical === undefined ? null : (absolute(canonical, from) ?? null),
    links: [...new Set([...frames, ...links])],
    refresh: refresh ?? null,
    frames,
    noindex: asked.has('noindex') || asked.has('none'),
    nofollow: asked.has('nofollow') || asked.has('none'),
    needsBrowser: scripts > 0 && isProgram(),
  };
}

/** Without those that are in another one, whose text is there already. */
function outermost(chosen: readonly AnyNode[]): readonly AnyNode[] {
  const all = new Set<unknown>(chosen);
  return chosen.filter(({ parent }) => {
    let above: Pick<AnyNode, 'parent'> | null = parent;
    while (above && !all.has(above)) above = above.parent;
    return above === null;
  });
}

function absolute(text: string, base: string): string | undefined {
  const written = text.trim();
  if (written.length > LONGEST_LINK || !URL.canParse(written, base)) return undefined;
  const { href } = new URL(written, base);
  return href.length > LONGEST_LINK ? undefined : href;
}

/** What a page asks of every reader or of this one; rules for others begin with their name. */
const rulesOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts
      .join(',')
      .toLowerCase()
      .split(',')
      .map((rule) => rule.trim().replace(/^(?:atrium|\*)\s*:\s*/, '')),
  );
