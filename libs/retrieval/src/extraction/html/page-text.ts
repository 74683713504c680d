import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };
import { cleanText } from '../text/clean-text';
import { escapeMarkdown, oneLine } from '../text/markdown-syntax';
import { cleanPage } from './clean-page';
import { markdownOfHtml } from './markdown-of-html';
import { shallowPage } from './shallow-page';

export interface PageText {
  readonly markdown: string;
  readonly title: string | null;
  readonly language: string | null;
  readonly author: string | null;
}

export interface PageTextOptions {
  /** All of it is text, as in mails and books, which have nothing around their main content. */
  readonly whole?: boolean;
}

/** Part of a page's text that its main content must have to be taken for all of it. */
const ENOUGH = 0.35;
const PAGE = /<(?:html|body|article|main|head)[\s>]/i;

/**
 * The main text of a page as markdown, with its title as first heading; of a fragment, all of its text. Links become
 * absolute; scripts, navigation and consent banners go, and no HTML stays.
 */
export async function pageText(html: string, baseUrl?: string, { whole: isWhole = false }: PageTextOptions = {}): Promise<PageText> {
  const { load } = await import('cheerio');
  const $ = load(shallowPage(html));
  const language = /^[a-z]{2,3}/i.exec($('html').attr('lang') ?? '')?.[0].toLowerCase() ?? null;
  const author = textOrNull($('meta[name="author"]').attr('content'));
  const title = textOrNull($('meta[property="og:title"]').attr('content')) ?? titleOf($);
  cleanPage($, baseUrl);
  const headings = $('h1')
    .toArray()
    .flatMap((element) => textOrNull($(element).text()) ?? []);
  const whole = $.html();
  const main = !isWhole && PAGE.test(html) ? await mainContent(whole) : undefined;
  const body = async (): Promise<string> => {
    if (!isWhole) $('header nav,footer,aside,body>header').remove();
    return markdownOfHtml($('body').html() ?? '');
  };
  const markdown = cleanText(main === undefined ? await body() : withHeading(await markdownOfHtml(main), headings, title));
  return { markdown: markdown.trim(), title: title ?? headings[0] ?? null, language, author };
}

/** Pictures of a page have titles of their own. */
export const titleOf = ($: CheerioAPI): string | null =>
  $('title')
    .toArray()
    .filter((element) => $(element).closest('svg').length === 0)
    .flatMap((element) => textOrNull($(element).text()) ?? [])[0] ?? null;

/** As `pageText`, the markdown alone. */
export async function htmlToMarkdown(html: string, baseUrl?: string): Promise<string> {
  return (await pageText(html, baseUrl)).markdown;
}

/** What is needed of the document that the finder of the main content works on. */
interface PageDocument {
  readonly body: { readonly textContent: string | null } | null;
}

/** The HTML of the main content; undefined where none is distinct, or so little that the rest is text too. */
async function mainContent(html: string): Promise<string | undefined> {
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  const { document } = parseHTML(html) as { document: PageDocument };
  const all = oneLine(document.body?.textContent ?? '').length;
  const found = new Readability(document, { charThreshold: 200, keepClasses: true }).parse();
  const length = oneLine(found?.textContent ?? '').length;
  return found?.content && length >= all * ENOUGH ? found.content : undefined;
}

/** Finding the main content makes the first level of headings the second, and may lose the one that was above it. */
function withHeading(markdown: string, headings: readonly string[], title: string | null): string {
  const first = new Set(headings.map(escapeMarkdown));
  const raised = markdown.replace(/^## (.+)$/gm, (line, words: string) => (first.has(words) ? line.slice(1) : line));
  const heading = headings[0] ?? title;
  const head = raised.slice(0, 2_000);
  if (heading === null || /^# /m.test(head) || head.includes(escapeMarkdown(heading))) return raised;
  return `# ${escapeMarkdown(heading)}\n\n${raised}`;
}

const textOrNull = (text: string | undefined): string | null => {
  const line = oneLine(cleanText(text ?? ''));
  return line === '' ? null : line;
};
