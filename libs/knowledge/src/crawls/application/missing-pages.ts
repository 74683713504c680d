import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { BaseAccess } from '../../bases/application/base-access';
import { BaseHolds } from '../../bases/application/base-holds';
import { JobRuns } from '../../work/application/job-runs';
import { RecordWriter } from '../../records/application/record-writer';
import { mayRemove } from '../domain/crawl-page';
import { CrawlsRepository } from '../infrastructure/crawls.repository';
import { CrawlPagesRepository } from '../infrastructure/crawl-pages.repository';
import type { CrawlPlan } from './crawl-plan';

const AT_ONCE = 200;

/** Handles the records of pages that are gone, unless they are so many that the site is more likely broken. */
@Injectable()
export class MissingPages {
  constructor(
    private readonly db: Database,
    private readonly crawls: CrawlsRepository,
    private readonly pages: CrawlPagesRepository,
    private readonly writer: RecordWriter,
    private readonly access: BaseAccess,
    private readonly runs: JobRuns,
    private readonly holds: BaseHolds,
  ) {}

  /** How many records are held back. */
  async handleMissing(plan: CrawlPlan, signal: AbortSignal): Promise<number> {
    const { missing, kept } = await this.db.read(() => this.pages.countMissing(plan.crw_id));
    const forced = plan.job.job_order['force_removes'] === true;
    // Once some of them went, the rest of the same run goes as well.
    const begun = plan.job.job_place['removing'] === true;
    if (!forced && !begun && plan.settings.on_missing !== 'keep' && !mayRemove(missing, kept)) return missing;
    while ((await this.some(plan)) === AT_ONCE) signal.throwIfAborted();
    return 0;
  }

  private async some(plan: CrawlPlan): Promise<number> {
    const acting = await this.runs.findAsker(plan.actingFor, { permission: 'knowledge-base:write' });
    return this.db.write(async () => {
      await this.access.keepBase(acting, plan.ds_id, 'edit');
      await this.crawls.lock(plan.crw_id);
      const gone = await this.pages.findLongMissing(plan.crw_id, AT_ONCE);
      const rec_ids = gone.flatMap(({ rec_id }) => rec_id ?? []);
      const removed = await this.remove(plan, rec_ids, acting);
      await this.pages.markGone(gone.map(({ page_id }) => page_id));
      await this.runs.recordStep(plan.job, { removed, place: { removing: true } });
      return gone.length;
    });
  }

  private async remove(
    { ds_id, settings }: CrawlPlan,
    rec_ids: readonly string[],
    acting: Parameters<RecordWriter['archiveMany']>[2],
  ): Promise<number> {
    if (rec_ids.length === 0 || settings.on_missing === 'keep') return 0;
    // What a legal hold keeps is taken out of use, not away.
    const change = settings.on_missing === 'delete' && !(await this.holds.isHeld(ds_id)) ? 'removeMany' : 'archiveMany';
    return (await this.writer[change](ds_id, { rec_ids }, acting)).length;
  }
}
