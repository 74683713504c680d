import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { comparedAddress } from '../domain/page-address';
import { CrawlPage, MISSES_UNTIL_GONE, type PageState } from '../domain/crawl-page';

/** A page as lists show it. */
export type CrawlPageRow = Omit<CrawlPage, 'tenant_id' | 'row_version'>;

/** A page whose turn it is. */
export interface QueuedPage extends Record<string, unknown> {
  readonly page_id: string;
  readonly url: string;
  readonly canonical: string | null;
  readonly depth: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string | null;
  readonly rec_id: string | null;
  readonly page_tries: number;
  readonly page_misses: number;
}

/** What became of a page. */
export interface VisitedPageState {
  readonly state: PageState;
  readonly reason: string | null;
  readonly http_status: number | null;
  readonly canonical: string | null;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string | null;
  readonly rec_id: string | null;
  readonly page_misses: number;
}

/** The pages of a pass that are asked for now: so many links from the first one at most. */
export interface PagesInTurn {
  readonly crw_id: string;
  readonly pass: number;
  readonly deepest: number;
}

/** A page that has an address for its own. */
export interface StandIn extends Record<string, unknown> {
  readonly page_id: string;
  readonly url: string;
  readonly content_hash: string | null;
  readonly rec_id: string | null;
}

const QUEUED = sql`page_id, url, canonical, depth, etag, last_modified, content_hash, rec_id, page_tries, page_misses`;

/** The pages that crawls know of: what was found, what is to be asked for, what came of it. */
@Injectable()
export class CrawlPagesRepository {
  constructor(
    private readonly db: Database,
    private readonly ids: Ids,
  ) {}

  listPages(crw_id: string, query: ListParameters): Promise<Page<CrawlPageRow>> {
    return listPage<CrawlPageRow>(this.db.current(), CrawlPage, query, { where: sql`r.crw_id = ${crw_id}` });
  }

  /** Every page that is known is to be visited, those that are gone too: they may be back. How many are. */
  requeuePages(crw_id: string, pass: number, full: boolean): Promise<number> {
    const forgotten = full ? sql`, etag = NULL, last_modified = NULL` : sql``;
    return this.db.current().execute(sql`
      UPDATE crawl_page SET state = 'queued', page_pass = ${pass}, page_tries = 0, page_after = '-infinity' ${forgotten}
      WHERE ${of(crw_id)}`);
  }

  /** Adds pages that are not known yet, in whatever spelling, within the limit; how many it added. */
  async addPages(
    { crw_id, pass, most }: { readonly crw_id: string; readonly pass: number; readonly most: number },
    pages: readonly { readonly url: string; readonly depth: number }[],
  ): Promise<number> {
    if (pages.length === 0) return 0;
    const { tenant_id } = requireScope();
    const rows = pages.map(({ url, depth }) => ({ page_id: this.ids.next(), url, compared: comparedAddress(url), depth }));
    return this.db.current().execute(sql`
      INSERT INTO crawl_page (tenant_id, page_id, crw_id, url, canonical, depth, page_pass)
      SELECT ${tenant_id}::uuid, f.page_id, ${crw_id}::uuid, f.url, f.compared, f.depth, ${pass}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f (page_id uuid, url text, compared text, depth integer)
      WHERE NOT EXISTS (SELECT 1 FROM crawl_page k WHERE k.tenant_id = ${tenant_id} AND k.crw_id = ${crw_id} AND k.url = f.url)
        AND NOT EXISTS (SELECT 1 FROM crawl_page k WHERE k.tenant_id = ${tenant_id} AND k.crw_id = ${crw_id} AND k.canonical = f.compared AND ${respelled})
      ORDER BY f.page_id LIMIT greatest(0, ${most} - (SELECT count(*) FROM crawl_page k WHERE k.tenant_id = ${tenant_id} AND k.crw_id = ${crw_id} AND NOT (${gone(sql`k.`)})))
      ON CONFLICT DO NOTHING`);
  }

  /** The pages whose turn it is, nearest to the beginning first, and when the next one may be tried where none may now. */
  async findNextPages({ crw_id, pass, deepest }: PagesInTurn, most: number, besides: readonly string[]): Promise<readonly QueuedPage[]> {
    return this.db.current().query<QueuedPage>(sql`
      SELECT ${QUEUED} FROM crawl_page WHERE ${queued(crw_id, pass)} AND depth <= ${deepest} AND page_after <= now() AND page_id <> ALL(${[...besides]}::uuid[])
      ORDER BY depth, page_id LIMIT ${most}`);
  }

  /** Milliseconds until a page may be tried again; null when none waits. */
  async waitMs({ crw_id, pass, deepest }: PagesInTurn): Promise<number | null> {
    const row = await this.db
      .current()
      .first<{ wait: number | null }>(
        sql`SELECT (extract(epoch FROM min(page_after) - clock_timestamp()) * 1000)::double precision AS wait FROM crawl_page WHERE ${queued(crw_id, pass)} AND depth <= ${deepest} AND page_after > now()`,
      );
    return row?.wait ?? null;
  }

  /** The page is tried again later. */
  async postponePage(
    page_id: string,
    afterMs: number,
    { reason, http_status }: Pick<VisitedPageState, 'reason' | 'http_status'>,
  ): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE crawl_page SET page_tries = page_tries + 1, page_after = clock_timestamp() + ${afterMs} * interval '1 millisecond', reason = ${reason}, http_status = ${http_status}
      WHERE ${one(page_id)}`);
  }

  async savePage(page_id: string, page: VisitedPageState): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE crawl_page SET state = ${page.state}, reason = ${page.reason}, http_status = ${page.http_status}, canonical = ${page.canonical}, etag = ${page.etag}, last_modified = ${page.last_modified},
        content_hash = ${page.content_hash}, rec_id = ${page.rec_id}::uuid, page_misses = ${page.page_misses}, fetched_at = now()
      WHERE ${one(page_id)}`);
  }

  /** The page of this pass that has the canonical address already. */
  async findStandIn(canonical: string, page_id: string, crw_id: string, pass: number): Promise<StandIn | undefined> {
    return this.db.current().first<StandIn>(sql`
      SELECT page_id, url, content_hash, rec_id FROM crawl_page WHERE ${of(crw_id)} AND canonical = ${canonical} AND page_pass = ${pass} AND state IN ('fetched', 'unchanged') AND page_id <> ${page_id} LIMIT 1`);
  }

  /** The page is asked for again in this pass: it is not what it said. Its record is left to the page that has its address. */
  async requeuePage(page_id: string): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE crawl_page SET state = 'queued', page_tries = 0, page_after = '-infinity', etag = NULL, last_modified = NULL, content_hash = NULL, rec_id = NULL WHERE ${one(page_id)}`);
  }

  /** Pages of this pass that took the address of another one for their own are asked for again; how many. */
  requeueClaimants(canonical: string, page_id: string, crw_id: string, pass: number): Promise<number> {
    return this.db.current().execute(sql`
      UPDATE crawl_page SET state = 'queued', page_tries = 0, page_after = '-infinity', etag = NULL, last_modified = NULL, content_hash = NULL
      WHERE ${of(crw_id)} AND canonical = ${canonical} AND page_pass = ${pass} AND state IN ('fetched', 'unchanged') AND page_id <> ${page_id}`);
  }

  /** Whether another page of the crawl is kept in the record. */
  async isShared(rec_id: string, page_id: string, crw_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM crawl_page WHERE ${of(crw_id)} AND rec_id = ${rec_id} AND page_id <> ${page_id} LIMIT 1`);
    return row !== undefined;
  }

  /** Pages with records that were missing for long enough, and how many pages have records in all. */
  async countMissing(crw_id: string): Promise<{ readonly missing: number; readonly kept: number }> {
    const row = await this.db
      .current()
      .first<{ missing: number; kept: number }>(
        sql`SELECT count(*) FILTER (WHERE page_misses >= ${MISSES_UNTIL_GONE}) AS missing, count(*) AS kept FROM crawl_page WHERE ${of(crw_id)} AND rec_id IS NOT NULL AND state <> 'gone'`,
      );
    return row ?? { missing: 0, kept: 0 };
  }

  /** Some of the pages that were missing for long enough, with or without a record. */
  findLongMissing(crw_id: string, most: number): Promise<readonly { readonly page_id: string; readonly rec_id: string | null }[]> {
    return this.db.current().query<{ page_id: string; rec_id: string | null }>(sql`
      SELECT page_id, rec_id FROM crawl_page WHERE ${of(crw_id)} AND page_misses >= ${MISSES_UNTIL_GONE} AND state <> 'gone' ORDER BY page_id LIMIT ${most}`);
  }

  async markGone(page_ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE crawl_page SET state = 'gone', rec_id = NULL, content_hash = NULL WHERE tenant_id = ${requireScope().tenant_id} AND page_id = ANY(${[...page_ids]}::uuid[])`,
      );
  }

  /** How many pages of an open pass are left. */
  async countLeft(crw_id: string, pass: number): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`SELECT count(*) FROM crawl_page WHERE ${queued(crw_id, pass)}`);
    return row?.count ?? 0;
  }

  /** How a pass went: pages with text, and pages that failed. */
  async countOutcomes(
    crw_id: string,
    pass: number,
  ): Promise<{ readonly taken: number; readonly failed: number; readonly skipped: number }> {
    const row = await this.db
      .current()
      .first<{ taken: number; failed: number; skipped: number }>(
        sql`SELECT count(*) FILTER (WHERE state IN ('fetched', 'unchanged')) AS taken, count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'skipped') AS skipped FROM crawl_page WHERE ${of(crw_id)} AND page_pass = ${pass}`,
      );
    return row ?? { taken: 0, failed: 0, skipped: 0 };
  }

  async findPage(
    crw_id: string,
    url: string,
  ): Promise<Pick<CrawlPage, 'state' | 'reason' | 'rec_id' | 'canonical' | 'http_status'> | undefined> {
    return this.db
      .current()
      .first(sql`SELECT state, reason, rec_id, canonical, http_status FROM crawl_page WHERE ${of(crw_id)} AND url = ${url}`);
  }

  /** Some of the records that the pages of a crawl are kept in; they are its pages no longer. */
  async detachRecords(crw_id: string, most: number): Promise<readonly string[]> {
    const rows = await this.db.current().query<{ rec_id: string }>(sql`
      UPDATE crawl_page p SET rec_id = NULL, content_hash = NULL FROM (SELECT page_id, rec_id FROM crawl_page WHERE ${of(crw_id)} AND rec_id IS NOT NULL LIMIT ${most}) x
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.page_id = x.page_id RETURNING x.rec_id`);
    return rows.map(({ rec_id }) => rec_id);
  }

  /** Removes some of the pages of all crawls of a base; how many. */
  removeOfBase(ds_id: string, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM crawl_page p USING (
        SELECT k.page_id FROM knowledge_crawl c JOIN crawl_page k ON k.tenant_id = c.tenant_id AND k.crw_id = c.crw_id WHERE c.tenant_id = ${tenant_id} AND c.crw_base = ${ds_id} LIMIT ${most}) x
      WHERE p.tenant_id = ${tenant_id} AND p.page_id = x.page_id`);
  }

  async countPages(crw_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM crawl_page WHERE ${of(crw_id)} AND state <> 'gone'`);
    return row?.count ?? 0;
  }

  /** Pages that failed in a pass, in the order in which they were found, some at a time. */
  async *listFailed(
    crw_id: string,
    pass: number,
  ): AsyncGenerator<{ readonly url: string; readonly http_status: number | null; readonly reason: string | null }> {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows = await this.db.read((tx) =>
        tx.query<{ page_id: string; url: string; http_status: number | null; reason: string | null }>(
          sql`SELECT page_id, url, http_status, reason FROM crawl_page WHERE ${of(crw_id)} AND page_pass = ${pass} AND state = 'failed' AND page_id > ${after} ORDER BY page_id LIMIT 1000`,
        ),
      );
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < 1_000) return;
      after = last.page_id;
    }
  }
}

/** Two addresses of one path whose queries have as many signs: with one canonical address they differ in the order of their parameters alone. */
const respelled = sql`length(k.url) = length(f.url) AND lower(split_part(k.url, '?', 1)) = lower(split_part(f.url, '?', 1))`;
const of = (crw_id: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND crw_id = ${crw_id}`;
const one = (page_id: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND page_id = ${page_id}`;
/** The page was missing for long enough, and its record was handled. */
const gone = (page: Sql): Sql => sql`${page}page_misses >= ${MISSES_UNTIL_GONE} AND ${page}rec_id IS NULL`;
const queued = (crw_id: string, pass: number): Sql => sql`${of(crw_id)} AND state = 'queued' AND page_pass = ${pass}`;
