import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { nextSlot } from '@atrium/platform/messaging';
import { BaseAccess } from '../../bases/application/base-access';
import { JobsRepository } from '../../work/infrastructure/jobs.repository';
import { JobsService } from '../../work/application/jobs.service';
import type { Crawl } from '../domain/crawl';
import { CrawlsRepository } from '../infrastructure/crawls.repository';
import { crawlSite } from '../jobs/crawls.jobs';

const SERVER_FAULT = 500;

/**
 * Crawls by the clock. They run with the rights that their creator, or the member who scheduled them since, has at the moment; when that member is gone or may not change the base any more the cron stops, and
 * the job it started last says why.
 */
@Injectable()
export class DueCrawls {
  constructor(
    private readonly db: Database,
    private readonly crawls: CrawlsRepository,
    private readonly jobs: JobsRepository,
    private readonly work: JobsService,
    private readonly access: BaseAccess,
    private readonly callers: ActingCallers,
    private readonly clock: Clock,
  ) {}

  /** Crawls of all workspaces whose time has come. */
  listDue(most: number): Promise<readonly { readonly tenant_id: string; readonly crw_id: string }[]> {
    return this.crawls.findDueCrawls(most);
  }

  /** A slot that comes while the crawl still runs is passed over. */
  startRun(crw_id: string): Promise<void> {
    return this.db.write(async () => {
      const crawl = await this.crawls.lock(crw_id);
      const now = this.clock.now();
      if (crawl.crw_next === null || crawl.crw_next > now) return;
      if (!(await this.mayAct(crawl))) crawl.crw_active = false;
      crawl.plan((cron, timezone) => nextSlot(cron, timezone, now));
      if (!(await this.jobs.findCrawlJob(crw_id))) {
        // Nobody requested it; it acts for the member who scheduled the crawl.
        const asker = { user_id: null, key_id: null };
        const { job_id } = await this.work.startJob({
          kind: 'crawl',
          ds_id: crawl.crw_base,
          crw_id,
          definition: crawlSite,
          order: {},
          asker,
        });
        crawl.crw_last_job = job_id;
      }
      await this.crawls.save(crawl);
    });
  }

  private async mayAct({ crw_created_by: user_id, crw_base }: Crawl): Promise<boolean> {
    if (user_id === null) return false;
    try {
      const acting = await this.callers.resolvePrincipal({ user_id, key_id: null });
      // A deleted base waits; it is not taken for one that was closed.
      this.access.assertLevel(acting, await this.access.requireBase(acting, crw_base), 'edit');
      return acting.permissions.has('knowledge-base:write');
    } catch (error) {
      if (error instanceof Problem && error.status < SERVER_FAULT) return false;
      throw error;
    }
  }
}
