import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { JobPause, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Tabular } from '@atrium/platform/tabular';
import { ForeignMarkup } from '@atrium/retrieval';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordBodies } from '../../records/application/record-bodies';
import { LONGEST_BODY } from '../../records/domain/knowledge-record';
import { JobObjects } from '../../work/infrastructure/job-objects';
import { JobRuns, type RunOutcome } from '../../work/application/job-runs.service';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { Crawl } from '../domain/crawl';
import { Site } from '../domain/page-address';
import type { PageReading } from '../domain/page-reading';
import { PathGlobs } from '../domain/path-globs';
import { NO_RULES, robotRules, type RobotRules } from '../domain/robots';
import { CrawlPagesRepository, type QueuedPage } from '../infrastructure/crawl-pages.repository';
import { CrawlsRepository } from '../infrastructure/crawls.repository';
import { SiteFetch } from '../infrastructure/site-fetch';
import { IdleTime, OneByOne, PausedRules, Turns } from './crawl-turns';
import { MissingPages } from './missing-pages';
import { PageSettling, type CrawlPlan, type VisitedPage } from './page-settling';
import { SiteMaps } from './site-maps';

/** From so long a wait on, for the pause that the site is owed or for a page that is asked for again, the run leaves its slot to others. */
const PAUSE_FROM_MS = 2 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;
const ROBOTS = 'The robots.txt of the site does not allow it.';

/**
 * One run of a crawl: asks the site for its rules and sitemaps, visits the pages of the pass that are left, nearest to the beginning
 * first, and handles those that are gone. All it knows is in the rows of pages: a run that is cut off goes on there.
 */
@Injectable()
export class CrawlRun {
  private readonly paused = new PausedRules();

  constructor(
    private readonly db: Database,
    private readonly crawls: CrawlsRepository,
    private readonly pages: CrawlPagesRepository,
    private readonly fetch: SiteFetch,
    private readonly markup: ForeignMarkup,
    private readonly bodies: RecordBodies,
    private readonly maps: SiteMaps,
    private readonly settling: PageSettling,
    private readonly gone: MissingPages,
    private readonly runs: JobRuns,
    private readonly objects: JobObjects,
    private readonly clock: Clock,
  ) {}

  async run(job: KnowledgeJob, run: JobRun): Promise<RunOutcome> {
    await this.runs.acting(job, 'knowledge-base:write');
    const crawl = await this.begin(job);
    const site = new Site(crawl.crw_url);
    const rules = this.paused.take(job.job_id) ?? (await this.rulesOf(site, run.signal));
    const { settings } = crawl;
    const plan: CrawlPlan = {
      job,
      ds_id: crawl.crw_base,
      crw_id: crawl.crw_id,
      pass: crawl.crw_pass,
      settings,
      site,
      rules,
      globs: new PathGlobs(settings.include, settings.exclude),
    };
    if (settings.mode !== 'page' && job.job_place['seeded'] !== true) await this.seed(plan, run);
    await this.visitAll(plan, run);
    return this.conclude(plan, crawl.crw_url, run);
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
      const known = begins ? await this.pages.requeue(crw_id, pass, full) : await this.pages.left(crw_id, pass);
      const fresh = await this.pages.discover({ crw_id, pass, most: crawl.settings.max_pages }, [{ url: crawl.crw_url, depth: 0 }]);
      await this.runs.advance(job, { more: known + fresh, place: { begun: true } });
      return crawl;
    });
  }

  private async rulesOf(site: Site, signal: AbortSignal): Promise<RobotRules> {
    try {
      const text = await this.fetch.robots(site.robots, signal);
      return text === null ? NO_RULES : robotRules(site.robots, text);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem) throw new PermanentFailure(error.detail, { cause: error });
      throw error;
    }
  }

  /** Adds what the sitemaps name. */
  private async seed({ job, crw_id, pass, settings, site, rules, globs }: CrawlPlan, run: JobRun): Promise<void> {
    for await (const found of this.maps.pages(rules.sitemaps.length > 0 ? rules.sitemaps : [site.sitemap], run.signal)) {
      const wanted = await globs.wanted(await site.allOwn(found, site.sitemap));
      await this.db.write(async () => {
        const more = await this.pages.discover(
          { crw_id, pass, most: settings.max_pages },
          wanted.map((url) => ({ url, depth: 1 })),
        );
        await this.runs.advance(job, { more });
      });
    }
    await this.db.write(() => this.runs.advance(job, { place: { seeded: true } }));
  }

  /** A few pages at once, with the pause that the site is owed between two requests. The first fault ends all of them. */
  private async visitAll(plan: CrawlPlan, run: JobRun): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const open = new Map<string, Promise<void>>();
    const turns = new Turns(Math.max(plan.settings.delay_ms, plan.rules.delayMs));
    const readings = new OneByOne();
    const idle = await this.resumed(plan.job);
    try {
      for (;;) {
        run.signal.throwIfAborted();
        await this.runs.assertRunning(plan.job);
        const room = plan.settings.concurrency - open.size;
        // Where the site is owed a long pause, a page is taken in hand only when its turn has come: until then the run may leave.
        const due = turns.dueMs;
        const free = turns.pauseMs < PAUSE_FROM_MS ? room : due > 0 ? 0 : Math.min(room, 1);
        const next = free > 0 ? await this.db.read(() => this.pages.next(plan.crw_id, plan.pass, free, [...open.keys()])) : [];
        for (const page of next) {
          const visit = this.visit(plan, page, { signal, turns, readings }).finally(() => {
            open.delete(page.page_id);
            idle.end();
          });
          open.set(page.page_id, visit);
        }
        if (open.size > 0) {
          const turn = room > 0 && due > 0 && free === 0 ? [pause(due, undefined, { signal })] : [];
          await Promise.race([...open.values(), ...turn]);
          continue;
        }
        const wait = await this.db.read(() => this.waitMs(plan, free === 0 ? due : 0));
        if (wait === null) return;
        if (idle.isTooLong) throw new PermanentFailure('The site has answered no page for 30 minutes. Run the crawl again later.');
        if (wait < PAUSE_FROM_MS) await pause(Math.max(wait, 1), undefined, { signal });
        else await this.leave(plan, idle, Math.min(wait, LONGEST_PAUSE_MS));
      }
    } finally {
      stop.abort();
      await Promise.allSettled(open.values());
    }
  }

  /** How long there is nothing to do: until the turn of a page that is ready, or until one is ready; null: none is left. */
  private async waitMs({ crw_id, pass }: CrawlPlan, due: number): Promise<number | null> {
    if (due > 0 && (await this.pages.next(crw_id, pass, 1, [])).length > 0) return due;
    return this.pages.waitMs(crw_id, pass);
  }

  /** Leaves the slot to others; the run goes on from its rows. */
  private async leave({ job, rules }: CrawlPlan, idle: IdleTime, pauseMs: number): Promise<never> {
    await this.db.write(() => this.runs.advance(job, { place: { idle_ms: idle.ms + pauseMs } }));
    this.paused.keep(job.job_id, rules);
    throw new JobPause(pauseMs);
  }

  /** How long no page had come when the run paused. It is taken once: a run that is handed back at work begins to count then. */
  private async resumed(job: KnowledgeJob): Promise<IdleTime> {
    const { idle_ms } = job.job_place;
    if (typeof idle_ms !== 'number' || idle_ms === 0) return new IdleTime(this.clock, 0);
    await this.db.write(() => this.runs.advance(job, { place: { idle_ms: 0 } }));
    return new IdleTime(this.clock, idle_ms);
  }

  private async visit(plan: CrawlPlan, page: QueuedPage, order: VisitOrder): Promise<void> {
    const { signal } = order;
    const visited = await this.ask(plan, page, order);
    signal.throwIfAborted();
    const acting = await this.runs.acting(plan.job, 'knowledge-base:write');
    await this.settling.settle(plan, page, visited, acting);
  }

  private async ask(
    { site, rules, globs, settings }: CrawlPlan,
    page: QueuedPage,
    { signal, turns, readings }: VisitOrder,
  ): Promise<VisitedPage> {
    if (!rules.allows(page.url)) return { kind: 'skipped', status: null, reason: ROBOTS };
    await turns.next(signal);
    const isKnown = page.content_hash !== null && page.rec_id !== null;
    const reading = await this.fetch.page(
      {
        url: page.url,
        etag: isKnown ? page.etag : null,
        last_modified: isKnown ? page.last_modified : null,
        refuses: (address) => {
          const own = site.own(address, address);
          if (own === undefined) return `It leads to another site: ${address}`.slice(0, 500);
          if (!rules.allows(own)) return ROBOTS;
          return globs.wants(own) || page.depth === 0 ? undefined : 'It leads to a page that is left out.';
        },
      },
      signal,
    );
    if (reading.kind !== 'page') return reading;
    return readings.run(() => this.read(reading, settings.content_selector, signal));
  }

  /** A page that cannot be read in time is one that failed: the others go on. */
  private async read(page: Extract<PageReading, { kind: 'page' }>, selector: string | null, signal: AbortSignal): Promise<VisitedPage> {
    try {
      const { html, address, robots } = page;
      const whole = await this.markup.readPage({ html, address, robots, selector }, { signal });
      const read = { ...whole, markdown: whole.markdown.slice(0, LONGEST_BODY) };
      return { ...page, read, record: await this.bodies.clean(null, { rec_content: { body: read.markdown } }) };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'unprocessable_content') throw error;
      return { kind: 'failed', status: page.status, reason: error.detail };
    }
  }

  private async conclude(plan: CrawlPlan, start: string, run: JobRun): Promise<RunOutcome> {
    const held_removes = await this.gone.handle(plan, run.signal);
    const { counts, first } = await this.db.write(async () => {
      const crawl = await this.crawls.lock(plan.crw_id);
      crawl.endPass(await this.pages.count(plan.crw_id));
      await this.crawls.save(crawl);
      return { counts: await this.pages.outcome(plan.crw_id, plan.pass), first: await this.pages.at(plan.crw_id, start) };
    });
    const report = counts.failed > 0 ? await this.report(plan) : null;
    if (first && first.rec_id === null && counts.taken === 0 && (first.state === 'failed' || first.state === 'skipped'))
      return { status: 'failed', error: `The first page could not be taken: ${first.reason ?? ''}`, report };
    const error =
      held_removes > 0
        ? `${held_removes} records would be removed, more than 30% of those of the crawl. Run it again with force_removes to remove them.`
        : null;
    return { status: counts.failed > 0 ? 'partial' : 'completed', error, held_removes, report };
  }

  /** A CSV of the pages that failed. */
  private async report({ job, crw_id, pass }: CrawlPlan): Promise<string> {
    const { pages } = this;
    async function* rows(): AsyncGenerator<(string | number | null)[]> {
      yield ['url', 'http_status', 'reason'];
      for await (const { url, http_status, reason } of pages.failed(crw_id, pass)) yield [url, http_status, reason];
    }
    return (await this.objects.put(job.job_id, 'report', Tabular.write(rows(), { format: 'csv' }), 'text/csv')).key;
  }
}

/** What the visits of one run share. */
interface VisitOrder {
  readonly signal: AbortSignal;
  readonly turns: Turns;
  readonly readings: OneByOne;
}
