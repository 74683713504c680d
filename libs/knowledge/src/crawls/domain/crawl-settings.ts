import { Choice, Text, TextList, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export const CRAWL_MODES = ['page', 'site', 'sitemap'] as const;
export const ON_MISSING = ['archive', 'keep', 'delete'] as const;

/** How a site is crawled, as clients say it; what is absent or null has its usual value. */
export class CrawlWish {
  @Choice(CRAWL_MODES, {
    optional: true,
    about: '`page`: the one page; `site` (usual): the site by its sitemaps and links; `sitemap`: what its sitemaps name.',
    example: 'site',
  })
  mode?: (typeof CRAWL_MODES)[number] | null;
  @Whole({ optional: true, min: 1, max: 10_000, about: 'Pages at most; 200 when absent.', example: 200 }) max_pages?: number | null;
  @Whole({ optional: true, min: 0, max: 10, about: 'Links to follow from the first page at most; 3 when absent.', example: 3 })
  max_depth?: number | null;
  @TextList({
    optional: true,
    max: 50,
    about: 'Globs over path and query; only pages that match one are taken. `*` is any text without a slash, `**` any text.',
    example: ['/docs/**'],
  })
  include?: string[] | null;
  @TextList({ optional: true, max: 50, about: 'Globs over path and query of pages that are left out.', example: ['/blog/*/print'] })
  exclude?: string[] | null;
  @Text({
    optional: true,
    min: 1,
    max: 500,
    about: 'CSS selector of the elements whose text is taken; the main content when absent.',
    example: 'main',
  })
  content_selector?: string | null;
  @Whole({ optional: true, min: 1, max: 5, about: 'Pages that are asked for at once; 2 when absent.', example: 2 }) concurrency?:
    number | null;
  @Whole({
    optional: true,
    min: 0,
    max: 10_000,
    about: 'Milliseconds between two requests; 250 when absent. A longer pause that the site asks for wins, up to 30 seconds.',
    example: 250,
  })
  delay_ms?: number | null;
  @Text({
    optional: true,
    form: { pattern: /^[a-z]{2}$/, words: 'the code of a language in two lowercase letters, such as en' },
    max: 2,
    about: 'Language of the records (ISO 639-1); detected page by page when absent.',
    example: 'en',
  })
  language?: string | null;
  @Choice(ON_MISSING, {
    optional: true,
    about: 'What becomes of the record of a page that was missing in two runs; `archive` when absent.',
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
  const base = { ...USUAL, ...before };
  return Object.fromEntries(
    KEYS.map((key) => [key, wish[key] === undefined ? base[key] : (wish[key] ?? USUAL[key])]),
  ) as unknown as CrawlSettings;
}
