import { Injectable } from '@nestjs/common';
import { UsageMeter } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import type { WorkStep } from '@atrium/platform/messaging';
import { BaseAccess } from '../../bases/application/base-access';
import { JobRuns } from '../../work/application/job-runs';
import type { JobCount } from '../../work/domain/knowledge-job';
import { RecordWriter } from '../../records/application/record-writer';
import { MISSES_UNTIL_GONE, MOST_TRIES } from '../domain/crawl-page';
import { comparedAddress, externalId } from '../domain/page-address';
import { hashOf } from '../domain/page-text';
import { CrawlsRepository } from '../infrastructure/crawls.repository';
import { CrawlPagesRepository, type QueuedPage, type VisitedPageState } from '../infrastructure/crawl-pages.repository';
import type { CrawlPlan, VisitedPage } from './crawl-plan';
import { PageIdentities } from './page-identity';

/** How long a page is left alone before it is tried again, where the site does not say. */
const PAUSE_MS = 2_000;

interface Settling {
  readonly page: Partial<VisitedPageState> & Pick<VisitedPageState, 'state'>;
  readonly step?: WorkStep<JobCount>;
  /** Pages that are asked for once more. */
  readonly again?: number;
}

/**
 * Writes what came of a page: its state, its record, the pages that it leads to, what it costs and how far the job is, all in one
 * unit of work. A worker that is lost before leaves the page queued; afterwards it is never asked for again in the pass.
 */
@Injectable()
export class PageCommit {
  constructor(
    private readonly db: Database,
    private readonly crawls: CrawlsRepository,
    private readonly pages: CrawlPagesRepository,
    private readonly writer: RecordWriter,
    private readonly identities: PageIdentities,
    private readonly access: BaseAccess,
    private readonly runs: JobRuns,
    private readonly meter: UsageMeter,
    private readonly clock: Clock,
  ) {}

  async settlePage(plan: CrawlPlan, page: QueuedPage, visited: VisitedPage, acting: Principal): Promise<void> {
    const links = visited.kind === 'page' && !visited.read.nofollow ? await visited.site.allOwn(visited.read.links, visited.address) : [];
    return this.db.write(async () => {
      await this.access.keepBase(acting, plan.ds_id, 'edit');
      // Pages of a crawl settle one after the other: two of one address never become two records.
      await this.crawls.lock(plan.crw_id);
      if (visited.kind === 'later' && page.page_tries + 1 < MOST_TRIES) {
        await this.runs.recordStep(plan.job, {});
        const pause = visited.afterMs ?? PAUSE_MS * 2 ** page.page_tries;
        return this.pages.postponePage(page.page_id, pause, { reason: visited.reason, http_status: visited.status });
      }
      const { page: settled, step, again = 0 } = await this.judge(plan, page, visited, acting);
      const more = again + (await this.follow(plan, page, links));
      await this.pages.savePage(page.page_id, { ...unchangedFacts(page), reason: null, http_status: null, ...settled });
      if (visited.kind === 'page') this.charge(plan, page, acting);
      await this.runs.recordStep(plan.job, { ...(settled.state === 'failed' ? { failed: 1 } : { done: 1 }), ...step, more });
    });
  }

  private async judge(plan: CrawlPlan, page: QueuedPage, visited: VisitedPage, acting: Principal): Promise<Settling> {
    switch (visited.kind) {
      case 'page':
        return this.judgePage(plan, page, visited, acting);
      case 'unchanged':
        return { page: { state: 'unchanged', http_status: visited.status, page_misses: 0 }, step: { unchanged: 1 } };
      case 'missing':
        return {
          page: {
            state: page.rec_id === null && page.page_misses >= MISSES_UNTIL_GONE ? 'gone' : 'failed',
            reason: 'The page does not exist.',
            http_status: visited.status,
            page_misses: page.page_misses + 1,
          },
          again: await this.pages.requeueClaimants(comparedAddress(page.url), page.page_id, plan.crw_id, plan.pass),
        };
      case 'skipped':
        return { page: { ...withdrawn(page), reason: visited.reason, http_status: visited.status } };
      default:
        return { page: { state: 'failed', reason: visited.reason, http_status: visited.status } };
    }
  }

  private async judgePage(
    plan: CrawlPlan,
    page: QueuedPage,
    visited: Extract<VisitedPage, { kind: 'page' }>,
    acting: Principal,
  ): Promise<Settling> {
    const { read, record, status, etag, last_modified } = visited;
    const { address, canonical, sameAs, displaced } = await this.identities.identifyPage(plan, page, visited);
    const answered = { canonical, http_status: status };
    if (read.noindex) return { page: { ...withdrawn(page), ...answered, reason: 'The page asks not to be indexed.' } };
    if (sameAs !== null) return { page: { ...withdrawn(page), ...answered, reason: `It is a duplicate of ${sameAs}`.slice(0, 500) } };
    if (read.needsBrowser)
      return { page: { state: 'failed', ...answered, reason: 'The page needs a browser: its text is generated by scripts.' } };
    if (read.markdown.trim() === '') return { page: { ...withdrawn(page), ...answered, reason: 'The page has no text.' } };
    const known = { ...answered, etag, last_modified, page_misses: 0 };
    const content_hash = hashOf(read);
    if (content_hash === page.content_hash && canonical === page.canonical && page.rec_id !== null)
      return { page: { ...known, state: 'unchanged', content_hash }, step: { unchanged: 1 } };
    if (displaced) await this.pages.requeuePage(displaced.page_id);
    const again = displaced ? 1 : 0;
    const [written] = await this.writer.writeMany(
      plan.ds_id,
      [
        {
          ...record,
          rec_name: read.title ?? address,
          rec_url: address,
          rec_external_id: externalId(canonical),
          ...languageOf(plan.settings.language ?? read.language),
          ...(page.rec_id === null ? { rec_status: 'published' as const } : {}),
        },
      ],
      { source: 'crawl', crawl: plan.crw_id, mode: 'upsert' },
      acting,
    );
    if (!written || written.outcome === 'refused') {
      const [issue] = written?.issues ?? [];
      return {
        page: {
          ...answered,
          state: 'failed',
          reason: `The record is not valid: ${issue?.path ?? ''} ${issue?.message ?? ''}`.slice(0, 500),
        },
        again,
      };
    }
    const removed = page.rec_id === null || page.rec_id === written.rec_id ? 0 : await this.abandon(plan, page, page.rec_id, acting);
    return {
      page: { ...known, state: written.outcome === 'unchanged' ? 'unchanged' : 'fetched', content_hash, rec_id: written.rec_id },
      step: { [written.outcome]: 1, removed },
      again,
    };
  }

  /** The page is kept under another address now: its former record goes out of use, unless another page is kept in it. */
  private async abandon(
    { ds_id, crw_id, settings }: CrawlPlan,
    { page_id }: QueuedPage,
    rec_id: string,
    acting: Principal,
  ): Promise<number> {
    if (settings.on_missing === 'keep' || (await this.pages.isShared(rec_id, page_id, crw_id))) return 0;
    return (await this.writer.archiveMany(ds_id, { rec_ids: [rec_id] }, acting)).length;
  }

  /** Adds the pages that the page leads to, as far as the crawl goes. */
  private async follow({ crw_id, pass, settings, globs }: CrawlPlan, page: QueuedPage, links: readonly string[]): Promise<number> {
    const depth = page.depth + 1;
    if (settings.mode !== 'site' || depth > settings.max_depth) return 0;
    const wanted = await globs.filterWanted(links.filter((url) => url !== page.url));
    return this.pages.addPages(
      { crw_id, pass, most: settings.max_pages },
      wanted.map((url) => ({ url, depth })),
    );
  }

  private charge({ job, crw_id }: CrawlPlan, { page_id }: QueuedPage, acting: Principal): void {
    this.meter.chargeUsage({
      param: 'knowledge.crawl_pages',
      units: 1,
      user: acting.user_id,
      key: acting.key_id,
      ref: { job_id: job.job_id, crw_id },
      at: this.clock.now(),
      source: `crawl:${job.job_id}:${page_id}`,
    });
  }
}

/** What stays known of a page that was not read. */
const unchangedFacts = ({
  canonical,
  etag,
  last_modified,
  content_hash,
  rec_id,
  page_misses,
}: QueuedPage): Omit<VisitedPageState, 'state' | 'reason' | 'http_status'> => ({
  canonical,
  etag,
  last_modified,
  content_hash,
  rec_id,
  page_misses,
});

/** A page that is none of this crawl: one that was before counts as missing. */
const withdrawn = ({
  rec_id,
  page_misses,
}: QueuedPage): Pick<VisitedPageState, 'state' | 'page_misses' | 'etag' | 'last_modified' | 'content_hash'> => ({
  state: 'skipped',
  page_misses: rec_id === null ? 0 : page_misses + 1,
  etag: null,
  last_modified: null,
  content_hash: null,
});

const languageOf = (language: string | null): { readonly rec_language?: string } =>
  language !== null && /^[a-z]{2}$/.test(language) ? { rec_language: language } : {};
