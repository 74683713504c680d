import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, TimeZones, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, invalidState, notFound, notYet, Problem } from '@atrium/platform/kernel';
import { checkCron, nextSlot } from '@atrium/platform/messaging';
import { GuardedHttp } from '@atrium/platform/outbound';
import { ForeignMarkup, selectorCost } from '@atrium/retrieval';
import { BaseAccess } from '../../bases/application/base-access';
import { BaseHolds } from '../../bases/application/base-holds';
import { JobRetention } from '../../work/application/job-retention';
import { JobsRepository, type JobRow } from '../../work/infrastructure/jobs.repository';
import { JobsService } from '../../work/application/jobs.service';
import { RecordWriter } from '../../records/application/record-writer';
import { Crawl, MOST_CRAWLS, tooManyCrawls } from '../domain/crawl';
import { settingsWith, type CrawlSettings } from '../domain/crawl-settings';
import { pageAddress } from '../domain/page-address';
import { globCost } from '../domain/path-globs';
import { CrawlPagesRepository, type CrawlPageRow } from '../infrastructure/crawl-pages.repository';
import { CrawlsRepository, type CrawlRow } from '../infrastructure/crawls.repository';
import { crawlSite } from '../jobs/crawls.jobs';

export type { CrawlPageRow, CrawlRow };

/** What a client says of a crawl. */
interface CrawlFacts {
  readonly crw_name?: string;
  readonly crw_settings?: Readonly<Partial<Record<keyof CrawlSettings, unknown>>>;
  readonly crw_cron?: string | null;
  readonly crw_timezone?: string;
}

export interface NewCrawl extends CrawlFacts {
  readonly crw_url: string;
  readonly start?: boolean;
}

export interface CrawlChange extends CrawlFacts {
  readonly crw_active?: boolean;
}

export interface RunWish {
  readonly full?: boolean;
  readonly force_removes?: boolean;
}

export type CrawlAnswer = Omit<CrawlRow, 'row_version'>;

/** A crawl that was created, with its first job where it starts at once. */
export interface StartedCrawl {
  readonly crawl: CrawlAnswer;
  readonly job: JobRow | null;
}

const REMOVED_AT_ONCE = 500;

/** The websites that a base is filled from. */
@Injectable()
export class CrawlsService {
  constructor(
    private readonly db: Database,
    private readonly crawls: CrawlsRepository,
    private readonly pages: CrawlPagesRepository,
    private readonly jobs: JobsRepository,
    private readonly work: JobsService,
    private readonly retention: JobRetention,
    private readonly access: BaseAccess,
    private readonly holds: BaseHolds,
    private readonly writer: RecordWriter,
    private readonly http: GuardedHttp,
    private readonly markup: ForeignMarkup,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, ds_id: string, query: ListParameters): Promise<Page<CrawlRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      return this.crawls.listCrawls(ds_id, query);
    });
  }

  get(caller: Principal, ds_id: string, crw_id: string): Promise<CrawlRow> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      return this.stored(ds_id, crw_id);
    });
  }

  /**
   * The address is checked before anything is stored, and after everything that needs no name server; nothing is asked of the site
   * yet.
   */
  async create(
    caller: Principal,
    ds_id: string,
    { crw_url: wanted, crw_name, crw_settings = {}, crw_cron = null, crw_timezone = 'UTC', start = true }: NewCrawl,
  ): Promise<StartedCrawl> {
    // Who may not write into the base learns nothing of addresses either.
    await this.db.read(() => this.access.requireReadable(caller, ds_id, 'edit'));
    await this.check({ crw_settings, crw_cron, crw_timezone });
    const crw_url = await this.checkedAddress(wanted);
    return this.db.write(async () => {
      const base = await this.access.keepBase(caller, ds_id, 'edit');
      await this.crawls.lockCrawlCount(ds_id);
      if (base.ds_type === 'form')
        throw invalidState('A knowledge base of the type form cannot be filled from a website. Create a text base for the crawl.');
      if ((await this.crawls.countCrawls(ds_id)) >= MOST_CRAWLS) throw tooManyCrawls();
      const crawl = Crawl.blank(
        {
          crw_id: this.ids.next(),
          crw_base: ds_id,
          crw_url,
          crw_name: crw_name ?? new URL(crw_url).hostname,
          crw_settings: { ...settingsWith(crw_settings) },
          crw_cron,
          crw_timezone,
          crw_created_by: caller.user_id,
        },
        this.clock.now(),
      );
      crawl.plan(this.next);
      await this.crawls.insert(crawl);
      const job = start ? await this.startRun(caller, crawl, {}) : null;
      if (job) {
        crawl.crw_last_job = job.job_id;
        await this.crawls.save(crawl);
      }
      const { row_version: _, ...row } = await this.stored(ds_id, crawl.crw_id);
      return { crawl: row, job };
    });
  }

  async change(caller: Principal, ds_id: string, crw_id: string, wish: CrawlChange, precondition?: Precondition): Promise<CrawlRow> {
    const present = await this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id, 'edit');
      return this.stored(ds_id, crw_id);
    });
    await this.check({
      crw_settings: wish.crw_settings ?? {},
      crw_cron: wish.crw_cron ?? (wish.crw_timezone === undefined ? null : present.crw_cron),
      crw_timezone: wish.crw_timezone ?? present.crw_timezone,
    });
    return this.db.write(async () => {
      const crawl = await this.held(caller, ds_id, crw_id, precondition);
      crawl.change(wish, this.next, this.clock);
      crawl.assignTo(caller.user_id, wish);
      await this.crawls.save(crawl);
      return this.stored(ds_id, crw_id);
    });
  }

  /** Its pages and jobs go with it; its records stay, unless they are to go. */
  async remove(
    caller: Principal,
    ds_id: string,
    crw_id: string,
    { records = 'keep', precondition }: { readonly records?: 'keep' | 'remove'; readonly precondition?: Precondition | undefined },
  ): Promise<void> {
    // Records go first, some at a time: a request that is cut off is sent again.
    if (records === 'remove')
      for (let gone = REMOVED_AT_ONCE; gone === REMOVED_AT_ONCE;) gone = await this.removeSome(caller, ds_id, crw_id, precondition);
    await this.db.write(async () => {
      const crawl = await this.held(caller, ds_id, crw_id, precondition);
      await this.retention.removeOfCrawl(crw_id);
      await this.crawls.remove(crawl);
    });
  }

  /** Runs it now; one that runs already answers 409. */
  runCrawl(caller: Principal, ds_id: string, crw_id: string, wish: RunWish): Promise<JobRow> {
    return this.db.write(async () => {
      const crawl = await this.held(caller, ds_id, crw_id);
      const job = await this.startRun(caller, crawl, wish);
      crawl.crw_last_job = job.job_id;
      await this.crawls.save(crawl);
      return job;
    });
  }

  listPages(caller: Principal, ds_id: string, crw_id: string, query: ListParameters): Promise<Page<CrawlPageRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      await this.stored(ds_id, crw_id);
      return this.pages.listPages(crw_id, query);
    });
  }

  private readonly next = (cron: string, timezone: string): Date | null => nextSlot(cron, timezone, this.clock.now());

  private async startRun(
    caller: Principal,
    { crw_id, crw_base }: Crawl,
    { full = false, force_removes = false }: RunWish,
  ): Promise<JobRow> {
    if (await this.jobs.findCrawlJob(crw_id)) throw notYet('The crawl is running. Wait for it, or cancel its job.', 10);
    return this.work.startJob({
      kind: 'crawl',
      ds_id: crw_base,
      crw_id,
      definition: crawlSite,
      order: { full, force_removes },
      asker: caller,
    });
  }

  private async removeSome(caller: Principal, ds_id: string, crw_id: string, precondition?: Precondition): Promise<number> {
    return this.db.write(async () => {
      await this.held(caller, ds_id, crw_id, precondition);
      const rec_ids = await this.pages.detachRecords(crw_id, REMOVED_AT_ONCE);
      await this.holds.assertNone(ds_id);
      if (rec_ids.length > 0) await this.writer.removeMany(ds_id, { rec_ids }, caller);
      return rec_ids.length;
    });
  }

  /** The crawl locked for change, its base kept as it is: in this order, as runs take them. */
  private async held(caller: Principal, ds_id: string, crw_id: string, precondition?: Precondition): Promise<Crawl> {
    await this.access.keepBase(caller, ds_id, 'edit');
    return this.crawls.lock(crw_id, precondition, ({ crw_base }) => {
      if (crw_base !== ds_id) throw notFound('crawl');
    });
  }

  private async stored(ds_id: string, crw_id: string): Promise<CrawlRow> {
    const row = await this.crawls.findCrawlRow(ds_id, crw_id);
    if (!row) throw notFound('crawl');
    return row;
  }

  private async checkedAddress(url: string): Promise<string> {
    await this.http.checkAddress(url);
    const address = pageAddress(url);
    if (address === undefined) throw new Problem('unprocessable_content', 'The URL is not the URL of a web page.');
    return address;
  }

  private async check({
    crw_settings: { content_selector, include, exclude },
    crw_cron,
    crw_timezone,
  }: Required<Pick<CrawlFacts, 'crw_settings' | 'crw_cron' | 'crw_timezone'>>): Promise<void> {
    for (const [name, globs] of Object.entries({ include, exclude })) this.checkGlobs(`crw_settings.${name}`, globs);
    await this.zones.assertTimeZone('crw_timezone', crw_timezone);
    if (crw_cron !== null) checkCron('crw_cron', crw_cron, crw_timezone, this.clock.now());
    if (typeof content_selector !== 'string') return;
    const cost = selectorCost(content_selector);
    if (cost !== undefined) throw invalidField('crw_settings.content_selector', cost, 'too_complex');
    if (!(await this.markup.isSelector(content_selector)))
      throw invalidField('crw_settings.content_selector', 'must be a CSS selector, such as main or #content', 'format');
  }

  private checkGlobs(path: string, globs: unknown): void {
    for (const glob of Array.isArray(globs) ? (globs as readonly unknown[]) : []) {
      const cost = typeof glob === 'string' ? globCost(glob) : undefined;
      if (cost !== undefined) throw invalidField(path, cost, 'too_complex');
    }
  }
}
