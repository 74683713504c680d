import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, MINUTE, notFound, Problem, SECOND } from '@atrium/platform/kernel';
import { JobPause, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Tabular } from '@atrium/platform/tabular';
import { setTimeout as pause } from 'node:timers/promises';
import { BaseAccess } from '../../bases/application/base-access';
import { JobObjects } from '../../work/infrastructure/job-objects';
import { JobRuns, type RunOutcome } from '../../work/application/job-runs';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { Crawl } from '../domain/crawl';
import { Site } from '../domain/page-address';
import { PathGlobs } from '../domain/path-globs';
import type { RobotRules } from '../domain/robots';
import { CrawlPagesRepository, type PagesInTurn, type QueuedPage } from '../infrastructure/crawl-pages.repository';
import { CrawlsRepository } from '../infrastructure/crawls.repository';
import { SiteFetch } from '../infrastructure/site-fetch';
import { IdleTime, OneByOne, PausedSiteStates, Turns } from './crawl-turns';
import { MissingPages } from './missing-pages';
import type { CrawlPlan } from './crawl-plan';
import { PageCommit } from './page-commit';
import { PageVisits, type VisitOrder } from './page-visits';
import { SiteCrawlState } from './site-crawl-state';
import { SiteMaps } from './site-maps';

/** From so long a wait on, for the pause that the site is owed or for a page that is asked for again, the run leaves its slot to others. */
const PAUSE_FROM_MS = 2 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

/** Deeper than any page: it takes a number of links to be there. */
const DEEPEST = 2_147_483_647;
const BASE_CLOSED =
  'The knowledge base was deleted, or the member for whom the crawl runs can no longer see it. A member who can edit it can start the crawl, or activate it to have it run for them.';
/** What a run says of sitemaps and pages that it left out. */
const MOST_NOTES = 20;

/**
 * One run of a crawl: asks the site for its rules, visits its first page, which may lead to another site, reads the sitemaps of the site that it
 * is on then, visits the pages of the pass that are left, nearest to the beginning first, and handles those that are gone. All it knows is in the rows of pages: a run that is cut off goes on there.
 */
@Injectable()
export class CrawlRun {
  private readonly paused = new PausedSiteStates();

  constructor(
    private readonly db: Database,
    private readonly crawls: CrawlsRepository,
    private readonly pages: CrawlPagesRepository,
    private readonly fetch: SiteFetch,
    private readonly visits: PageVisits,
    private readonly maps: SiteMaps,
    private readonly settling: PageCommit,
    private readonly gone: MissingPages,
    private readonly runs: JobRuns,
    private readonly objects: JobObjects,
    private readonly access: BaseAccess,
    private readonly clock: Clock,
  ) {}

  async runCrawl(job: KnowledgeJob, run: JobRun): Promise<RunOutcome> {
    const actingFor = await this.assertMayWrite(job);
    const crawl = await this.begin(job);
    const { settings } = crawl;
    const home = new Site(crawl.crw_url);
    const siteState = this.paused.takeSiteState(job.job_id) ?? new SiteCrawlState();
    const atHome: CrawlPlan = {
      job,
      actingFor,
      ds_id: crawl.crw_base,
      crw_id: crawl.crw_id,
      pass: crawl.crw_pass,
      settings,
      home,
      site: home,
      rules: await this.rulesOf(home, siteState, run.signal),
      globs: new PathGlobs(settings.include, settings.exclude),
      siteState,
    };
    const idle = await this.resumed(job);
    const turns = new Turns(pauseOf(atHome));
    await this.visitAll(atHome, run, { turns, idle, deepest: 0 });
    const plan = await this.arrived(atHome, crawl.crw_url, run.signal);
    turns.pauseMs = pauseOf(plan);
    const notes = settings.mode === 'page' ? [] : await this.seed(plan, run);
    await this.visitAll(plan, run, { turns, idle, deepest: DEEPEST });
    return this.conclude(plan, { start: crawl.crw_url, notes }, run);
  }

  /** Before the site is asked for anything: whose rights the run has, which are those of the crawl's creator where nobody requested it. */
  private async assertMayWrite({ job_crawl, job_base, job_created_by, job_key }: KnowledgeJob): Promise<CrawlPlan['actingFor']> {
    const crawl = await this.db.read(() => this.crawls.findRow(job_crawl ?? ''));
    if (!crawl) throw notFound('crawl');
    const isScheduled = job_created_by === null && job_key === null;
    const actingFor = { job_created_by: isScheduled ? crawl.crw_created_by : job_created_by, job_key };
    const acting = await this.runs.findAsker(actingFor, { permission: 'knowledge-base:write' });
    try {
      await this.db.read(() => this.access.requireReadable(acting, job_base, 'edit'));
    } catch (error) {
      throw error instanceof Problem && error.code === 'not_found' ? new PermanentFailure(BASE_CLOSED, { cause: error }) : error;
    }
    return actingFor;
  }

  /** Where the first page led, in this run or the last one that reached it. */
  private async arrived(atHome: CrawlPlan, start: string, signal: AbortSignal): Promise<CrawlPlan> {
    const first = await this.db.read(() => this.pages.findPage(atHome.crw_id, start));
    const site = new Site(first?.canonical ?? start, atHome.home);
    if (site.origin === atHome.home.origin) return atHome;
    return { ...atHome, site, rules: await this.rulesOf(site, atHome.siteState, signal) };
  }

  /** Puts every page that is known in the queue, once a pass. */
  private begin(job: KnowledgeJob): Promise<Crawl> {
    const { job_id, job_crawl, job_place, job_order } = job;
    return this.db.write(async () => {
      const crawl = await this.crawls.lock(job_crawl ?? '');
      if (job_place['begun'] === true) return crawl;
      const full = job_order['full'] === true;
      const begins = crawl.beginPass(job_id, full);
      await this.crawls.save(crawl);
      const [crw_id, pass] = [crawl.crw_id, crawl.crw_pass];
      const known = begins ? await this.pages.requeuePages(crw_id, pass, full) : await this.pages.countLeft(crw_id, pass);
      const fresh = await this.pages.addPages({ crw_id, pass, most: crawl.settings.max_pages }, [{ url: crawl.crw_url, depth: 0 }]);
      await this.runs.recordStep(job, { more: known + fresh, place: { begun: true } });
      return crawl;
    });
  }

  private async rulesOf(site: Site, siteState: SiteCrawlState, signal: AbortSignal): Promise<RobotRules> {
    try {
      return await siteState.rulesOf(site, this.fetch, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem) throw new PermanentFailure(error.detail, { cause: error });
      throw error;
    }
  }

  /** Adds what the sitemaps name, once; says what of them could not be read or is not of the site. */
  private async seed({ job, crw_id, pass, settings, site, rules, globs, siteState }: CrawlPlan, run: JobRun): Promise<readonly string[]> {
    const { seeded, notes: said } = job.job_place;
    if (seeded === true) return Array.isArray(said) ? said.map(String) : [];
    const notes: string[] = [];
    const sources = rules.sitemaps.length > 0 ? rules.sitemaps : [site.sitemap];
    for await (const { address, pages, flaw } of this.maps.readSitemaps(
      sources,
      { isNamed: rules.sitemaps.length > 0, siteState },
      run.signal,
    )) {
      if (flaw !== null) notes.push(flaw);
      const own = await site.allOwn(pages, address);
      const foreign = pages.length - own.length;
      if (foreign > 0 && own.length === 0) notes.push(`The sitemap ${address} lists ${foreign} pages of other sites, which were skipped.`);
      const wanted = await globs.filterWanted(own);
      await this.db.write(async () => {
        const more = await this.pages.addPages(
          { crw_id, pass, most: settings.max_pages },
          wanted.map((url) => ({ url, depth: 1 })),
        );
        await this.runs.recordStep(job, { more });
      });
    }
    const few = notes.slice(0, MOST_NOTES);
    await this.db.write(() => this.runs.recordStep(job, { place: { seeded: true, notes: few } }));
    return few;
  }

  /** A few pages at once, with the pause that the site is owed between two requests. The first fault ends all of them. */
  private async visitAll(plan: CrawlPlan, run: JobRun, { turns, idle, deepest }: Stretch): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const open = new Map<string, Promise<void>>();
    const readings = new OneByOne();
    const inTurn = { crw_id: plan.crw_id, pass: plan.pass, deepest };
    try {
      for (;;) {
        run.signal.throwIfAborted();
        await this.runs.assertRunning(plan.job);
        const room = plan.settings.concurrency - open.size;
        // Where the site is owed a long pause, a page is taken in hand only when its turn has come: until then the run may leave.
        const due = turns.dueMs;
        const free = turns.pauseMs < PAUSE_FROM_MS ? room : due > 0 ? 0 : Math.min(room, 1);
        const next = free > 0 ? await this.db.read(() => this.pages.findNextPages(inTurn, free, [...open.keys()])) : [];
        for (const page of next) {
          const visit = this.visit(plan, page, { signal, turns, readings }).finally(() => {
            open.delete(page.page_id);
            idle.resetIdle();
          });
          open.set(page.page_id, visit);
        }
        if (open.size > 0) {
          const turn = room > 0 && due > 0 && free === 0 ? [pause(due, undefined, { signal })] : [];
          await Promise.race([...open.values(), ...turn]);
          continue;
        }
        const wait = await this.db.read(() => this.waitMs(inTurn, free === 0 ? due : 0));
        if (wait === null) return;
        if (idle.isTooLong) throw new PermanentFailure('The site has not returned a page for 30 minutes. Run the crawl again later.');
        if (wait < PAUSE_FROM_MS) await pause(Math.max(wait, 1), undefined, { signal });
        else await this.leave(plan, idle, Math.min(wait, LONGEST_PAUSE_MS));
      }
    } finally {
      stop.abort();
      await Promise.allSettled(open.values());
    }
  }

  /** How long there is nothing to do: until the turn of a page that is ready, or until one is ready; null: none is left. */
  private async waitMs(inTurn: PagesInTurn, due: number): Promise<number | null> {
    if (due > 0 && (await this.pages.findNextPages(inTurn, 1, [])).length > 0) return due;
    return this.pages.waitMs(inTurn);
  }

  /** Leaves the slot to others; the run goes on from its rows. */
  private async leave({ job, siteState }: CrawlPlan, idle: IdleTime, pauseMs: number): Promise<never> {
    await this.db.write(() => this.runs.recordStep(job, { place: { idle_ms: idle.ms + pauseMs } }));
    this.paused.storeSiteState(job.job_id, siteState);
    throw new JobPause(pauseMs);
  }

  /** How long no page had come when the run paused. It is taken once: a run that is handed back at work begins to count then. */
  private async resumed(job: KnowledgeJob): Promise<IdleTime> {
    const { idle_ms } = job.job_place;
    if (typeof idle_ms !== 'number' || idle_ms === 0) return new IdleTime(this.clock, 0);
    await this.db.write(() => this.runs.recordStep(job, { place: { idle_ms: 0 } }));
    return new IdleTime(this.clock, idle_ms);
  }

  private async visit(plan: CrawlPlan, page: QueuedPage, order: VisitOrder): Promise<void> {
    const { signal } = order;
    const visited = await this.visits.visitPage(plan, page, order);
    signal.throwIfAborted();
    const acting = await this.runs.findAsker(plan.actingFor, { permission: 'knowledge-base:write' });
    await this.settling.settlePage(plan, page, visited, acting);
  }

  private async conclude(
    plan: CrawlPlan,
    { start, notes }: { readonly start: string; readonly notes: readonly string[] },
    run: JobRun,
  ): Promise<RunOutcome> {
    const held_removes = await this.gone.handleMissing(plan, run.signal);
    const { counts, first, known } = await this.db.write(async () => {
      const crawl = await this.crawls.lock(plan.crw_id);
      const known = await this.pages.countPages(plan.crw_id);
      crawl.endPass(known);
      await this.crawls.save(crawl);
      return {
        counts: await this.pages.countOutcomes(plan.crw_id, plan.pass),
        first: await this.pages.findPage(plan.crw_id, start),
        known,
      };
    });
    const report = counts.failed > 0 ? await this.report(plan) : null;
    const result = { site: plan.site.origin, skipped: counts.skipped, is_full: known >= plan.settings.max_pages };
    if (first && first.rec_id === null && counts.taken === 0 && (first.state === 'failed' || first.state === 'skipped'))
      return { status: 'failed', error: `The first page could not be fetched: ${first.reason ?? ''}`, report, result };
    const held =
      held_removes > 0
        ? [
            `${held_removes} records would be removed, more than 30% of the records of this crawl. Run it again with force_removes to remove them.`,
          ]
        : [];
    const said = [...held, ...notes];
    const error = said.length > 0 ? said.join(' ') : null;
    return { status: counts.failed > 0 ? 'partial' : 'completed', error, held_removes, report, result };
  }

  /** A CSV of the pages that failed. */
  private async report({ job, crw_id, pass }: CrawlPlan): Promise<string> {
    const { pages } = this;
    async function* rows(): AsyncGenerator<(string | number | null)[]> {
      yield ['url', 'http_status', 'reason'];
      for await (const { url, http_status, reason } of pages.listFailed(crw_id, pass)) yield [url, http_status, reason];
    }
    return (await this.objects.putObject(job.job_id, 'report', Tabular.write(rows(), { format: 'csv' }), 'text/csv')).key;
  }
}

/** Part of a run: so many links from the first page at most. */
interface Stretch {
  readonly turns: Turns;
  readonly idle: IdleTime;
  readonly deepest: number;
}

const pauseOf = ({ settings, rules }: CrawlPlan): number => Math.max(settings.delay_ms, rules.delayMs);
