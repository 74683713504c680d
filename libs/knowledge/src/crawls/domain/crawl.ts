import { Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { settingsWith, type CrawlSettings } from './crawl-settings';

/** When a cron comes next; calculated by the caller, who has the time zones. */
export type NextSlot = (cron: string, timezone: string) => Date | null;

/**
 * A website that fills a base. A pass visits every page that is known once; a run that was cancelled leaves its pass open, and
 * the next one fetches what is left of it.
 */
@Resource({ table: 'knowledge_crawl', sort: '-crw_created' })
export class Crawl extends TenantRow {
  @Id({ about: 'Id of the crawl.', filter: undefined }) readonly crw_id!: string;
  @Ref({ about: 'Id of the knowledge base.' }) readonly crw_base!: string;
  @Text({ min: 1, max: 2_048, format: 'uri', about: 'Start URL, with https.', example: 'https://docs.example.com/' })
  readonly crw_url!: string;
  @Text({ min: 1, max: 255, about: 'Name.', example: 'Product documentation', filter: 'contains' }) crw_name!: string;
  @Json({ about: 'Settings of the crawl.', example: { mode: 'site', max_pages: 200, max_depth: 3, on_missing: 'archive' } })
  crw_settings!: JsonObject;
  @Text({
    optional: true,
    min: 1,
    max: 200,
    about: 'Schedule, as a cron expression with five fields; null if the crawl runs only on request.',
    example: '0 6 * * 1',
  })
  crw_cron!: string | null;
  @Text({ min: 1, max: 64, about: 'Time zone of the schedule (IANA name).', example: 'Europe/Lisbon' }) crw_timezone!: string;
  @Flag({ about: 'Whether the schedule is active.', filter: 'equals' }) crw_active!: boolean;
  @Ref({ optional: true, about: 'Id of the last job.' }) crw_last_job!: string | null;
  @Whole({ about: 'Number of known pages.', example: 120 }) crw_page_count!: number;
  @Stamp({ about: 'When the crawl was created.', sort: true }) readonly crw_created!: Date;
  @Stamp({ about: 'When the crawl was last changed.' }) crw_updated!: Date;
  @Ref({
    optional: true,
    about: 'Who created the crawl, or activated it or set its schedule last. Scheduled runs use the rights of this member.',
  })
  crw_created_by!: string | null;
  @Stamp({ internal: true, optional: true }) crw_next!: Date | null;
  @Whole({ internal: true, column: 'integer' }) crw_pass!: number;
  @Flag({ internal: true }) crw_pass_open!: boolean;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<Crawl, 'crw_id' | 'crw_base' | 'crw_url' | 'crw_name' | 'crw_settings' | 'crw_cron' | 'crw_timezone' | 'crw_created_by'>,
    now: Date,
  ): Crawl {
    return Object.assign(new Crawl(), {
      crw_active: true,
      crw_last_job: null,
      crw_page_count: 0,
      crw_created: now,
      crw_updated: now,
      crw_next: null,
      crw_pass: 0,
      crw_pass_open: false,
      ...facts,
    });
  }

  get settings(): CrawlSettings {
    return settingsWith({}, this.crw_settings);
  }

  /** Takes other settings, name or cron. */
  change(
    wish: {
      readonly crw_name?: string;
      readonly crw_settings?: Readonly<Record<string, unknown>>;
      readonly crw_cron?: string | null;
      readonly crw_timezone?: string;
      readonly crw_active?: boolean;
    },
    next: NextSlot,
    clock: Clock,
  ): void {
    this.crw_name = wish.crw_name ?? this.crw_name;
    this.crw_settings = { ...settingsWith(wish.crw_settings ?? {}, this.crw_settings) };
    this.crw_cron = wish.crw_cron === undefined ? this.crw_cron : wish.crw_cron;
    this.crw_timezone = wish.crw_timezone ?? this.crw_timezone;
    this.crw_active = wish.crw_active ?? this.crw_active;
    this.plan(next);
    this.crw_updated = clock.now();
  }

  /** The member who activates it or sets its cron is the one for whom it runs by the clock from then on; a key of nobody leaves it as it is. */
  assignTo(user_id: string | null, wish: { readonly crw_cron?: string | null; readonly crw_active?: boolean }): void {
    const schedules = wish.crw_active === true || typeof wish.crw_cron === 'string';
    if (schedules && user_id !== null) this.crw_created_by = user_id;
  }

  /** The next time that its cron comes. */
  plan(next: NextSlot): void {
    this.crw_next = this.crw_cron !== null && this.crw_active ? next(this.crw_cron, this.crw_timezone) : null;
  }

  /** A run begins: with a pass of its own, unless one is open and is to be finished. Answers whether every page is to be visited. */
  beginPass(job_id: string, full: boolean): boolean {
    const begins = full || !this.crw_pass_open;
    this.crw_last_job = job_id;
    if (begins) this.crw_pass += 1;
    this.crw_pass_open = true;
    return begins;
  }

  endPass(pages: number): void {
    this.crw_pass_open = false;
    this.crw_page_count = pages;
  }
}

export const MOST_CRAWLS = 100;
export const tooManyCrawls = (): Problem =>
  new Problem('limit_reached', `A knowledge base can have at most ${MOST_CRAWLS} crawls. Delete one first.`);
