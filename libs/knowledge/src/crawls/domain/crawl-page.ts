import { Choice, Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';

export const PAGE_STATES = ['queued', 'fetched', 'unchanged', 'skipped', 'failed', 'gone'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** How often a page is asked for in one pass before it counts as failed. */
export const MOST_TRIES = 3;
/** Passes in a row that a page has to be missing in. */
export const MISSES_UNTIL_GONE = 2;
/** Part of the pages with records that may go in one run. */
const MOST_REMOVED = 0.3;

/** A page that a crawl knows of. */
@Resource({ table: 'crawl_page', sort: 'page_created' })
export class CrawlPage extends TenantRow {
  @Id({ about: 'Id of the page.', filter: undefined }) readonly page_id!: string;
  @Text({ max: 2_048, format: 'uri', about: 'URL of the page.', example: 'https://docs.example.com/start', filter: 'contains' })
  readonly url!: string;
  @Text({ optional: true, max: 2_048, format: 'uri', about: 'Canonical URL that the page states, on the same site.' }) canonical!:
    string | null;
  @Whole({ about: 'Number of links from the first page to this page.', example: 1 }) depth!: number;
  @Choice(PAGE_STATES, {
    about:
      'State after the last run. `unchanged`: the page has not changed since the run before; `gone`: the page was missing in two runs, and its record was archived, deleted or kept as set.',
    example: 'fetched',
    filter: 'equals',
  })
  state!: PageState;
  @Text({ optional: true, max: 500, about: 'Why the page was skipped or failed.' }) reason!: string | null;
  @Whole({ optional: true, about: 'HTTP status of the last response.', example: 200 }) http_status!: number | null;
  @Text({ optional: true, max: 500, about: 'ETag of the last response.' }) etag!: string | null;
  @Text({ optional: true, max: 100, about: 'Last-Modified of the last response.' }) last_modified!: string | null;
  @Text({ optional: true, max: 64, about: 'Hash of the text.' }) content_hash!: string | null;
  @Ref({ optional: true, about: 'Id of the record with the text of the page.' }) rec_id!: string | null;
  @Stamp({ optional: true, about: 'When the page was last requested.' }) fetched_at!: Date | null;
  @Stamp({ about: 'When the page was found.', sort: true }) readonly page_created!: Date;
}

/** Whether so many of the records that a crawl keeps may go at once: a site that is broken must not empty a base. */
export const mayRemove = (missing: number, kept: number): boolean => missing <= kept * MOST_REMOVED;
