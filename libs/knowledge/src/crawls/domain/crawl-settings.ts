import { Choice, Text, TextList, Whole } from '@atrium/platform/database';
import { pick, type JsonObject } from '@atrium/platform/kernel';

export const CRAWL_MODES = ['page', 'site', 'sitemap'] as const;
export const ON_MISSING = ['archive', 'keep', 'delete'] as const;

/** How a site is crawled, as clients say it; what is absent or null has its usual value. */
export class CrawlWish {
  @Choice(CRAWL_MODES, {
    optional: true,
    about:
      '`page`: only the page itself; `site` (default): the site, by its sitemaps and links; `sitemap`: the pages listed in its sitemaps.',
    example: 'site',
  })
  mode?: (typeof CRAWL_MODES)[number] | null;
  @Whole({ optional: true, min: 1, max: 10_000, about: 'Maximum number of pages; 200 when omitted.', example: 200 }) max_pages?:
    number | null;
  @Whole({ optional: true, min: 0, max: 10, about: 'Maximum number of links to follow from the first page; 3 when omitted.', example: 3 })
  max_depth?: number | null;
  @TextList({
    optional: true,
    max: 50,
    about:
      'Globs for path and query of the pages to include; when omitted, all pages. `*` matches any text without a slash, `**` any text.',
    example: ['/docs/**'],
  })
  include?: string[] | null;
  @TextList({ optional: true, max: 50, about: 'Globs for path and query of the pages to exclude.', example: ['/blog/*/print'] })
  exclude?: string[] | null;
  @Text({
    optional: true,
    min: 1,
    max: 500,
    about: 'CSS selector of the elements whose text is used; the main content when omitted.',
    example: 'main',
  })
  content_selector?: string | null;
  @Whole({ optional: true, min: 1, max: 5, about: 'Number of pages requested at the same time; 2 when omitted.', example: 2 })
  concurrency?: number | null;
  @Whole({
    optional: true,
    min: 0,
    max: 10_000,
    about:
      'Pause between two requests in milliseconds; 250 when omitted. If the site asks for a longer pause, that pause is used, up to 30 seconds.',
    example: 250,
  })
  delay_ms?: number | null;
  @Text({
    optional: true,
    form: { pattern: /^[a-z]{2}$/, words: 'a two-letter language code in lower case, such as en' },
    max: 2,
    about: 'Language of the records (ISO 639-1); when omitted, detected for each page.',
    example: 'en',
  })
  language?: string | null;
  @Choice(ON_MISSING, {
    optional: true,
    about: 'What happens to the record of a page that was missing in two runs; `archive` when omitted.',
    example: 'archive',
  })
  on_missing?: (typeof ON_MISSING)[number] | null;
}

/** How a site is crawled. */
export interface CrawlSettings {
  readonly mode: (typeof CRAWL_MODES)[number];
  readonly max_pages: number;
  readonly max_depth: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly content_selector: string | null;
  readonly concurrency: number;
  readonly delay_ms: number;
  readonly language: string | null;
  readonly on_missing: (typeof ON_MISSING)[number];
}

const USUAL: CrawlSettings = {
  mode: 'site',
  max_pages: 200,
  max_depth: 3,
  include: [],
  exclude: [],
  content_selector: null,
  concurrency: 2,
  delay_ms: 250,
  language: null,
  on_missing: 'archive',
};

const KEYS = Object.keys(USUAL) as (keyof CrawlSettings)[];

/** Settings with a wish granted; null is the usual value again. */
export function settingsWith(
  wish: Readonly<Partial<Record<keyof CrawlSettings, unknown>>>,
  before: JsonObject | null = null,
): CrawlSettings {
  const wished = KEYS.filter((key) => wish[key] !== undefined).map((key) => [key, wish[key] ?? USUAL[key]]);
  return pick({ ...USUAL, ...before, ...Object.fromEntries(wished) }, KEYS);
}
