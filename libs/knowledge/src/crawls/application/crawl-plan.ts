import type { ReadPage } from '@atrium/retrieval';
import type { CleanWish } from '../../records/domain/record-facts';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { CrawlSettings } from '../domain/crawl-settings';
import type { Site } from '../domain/page-address';
import type { PageReading } from '../domain/page-reading';
import type { PathGlobs } from '../domain/path-globs';
import type { RobotRules } from '../domain/robots';
import type { SiteCrawlState } from './site-crawl-state';

/** What one run of a crawl goes by. */
export interface CrawlPlan {
  readonly job: KnowledgeJob;
  /** Whose rights it has: who requested it, or by the clock the creator of the crawl. */
  readonly actingFor: Pick<KnowledgeJob, 'job_created_by' | 'job_key'>;
  readonly ds_id: string;
  readonly crw_id: string;
  readonly pass: number;
  readonly settings: CrawlSettings;
  /** Where the crawl begins, and where its first page led: one site unless it led to another. */
  readonly home: Site;
  readonly site: Site;
  readonly rules: RobotRules;
  readonly globs: PathGlobs;
  readonly siteState: SiteCrawlState;
}

type Fetched = Extract<PageReading, { kind: 'page' }>;

/** What a page says, and its text as the record holds it. */
export interface ReadOfPage {
  readonly read: ReadPage;
  readonly record: CleanWish;
}

/** The site that a page was found on. */
interface OnSite {
  readonly site: Site;
  readonly rules: RobotRules;
}

/** A page that was asked for: the answer, and for one with HTML what it says. */
export type VisitedPage = Exclude<PageReading, Fetched> | (Fetched & ReadOfPage & OnSite);
