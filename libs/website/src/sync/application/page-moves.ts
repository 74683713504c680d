import { Injectable } from '@nestjs/common';
import { UsageMeter } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { CmsLink } from '../domain/cms-link';
import { actionOf } from '../domain/run-page';
import type { Move } from '../domain/sync-rules';
import type { RunCount, SyncRun } from '../domain/sync-run';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { RunPageRows, type EndedPage, type OpenPage } from '../infrastructure/run-pages.rows';
import type { CmsSession } from './cms-sessions';
import { SyncRuns } from './sync-runs';

/** One page of a run that is being moved. */
export interface MovingPage {
  readonly session: CmsSession;
  readonly run: SyncRun;
  readonly page: OpenPage;
  readonly move: Move;
  readonly by: Principal | null;
}

/** What a page came to. */
export interface MovedPage extends Partial<EndedPage> {
  readonly count: RunCount;
}

/** What every move of a page ends with: its link, its row of the run, the counts and the usage, in one transaction under the fence of the run. */
@Injectable()
export class PageMoves {
  constructor(
    private readonly db: Database,
    private readonly links: CmsLinksRepository,
    private readonly pages: RunPageRows,
    private readonly runs: SyncRuns,
    private readonly meter: UsageMeter,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Does the work of a page under the fence: a worker that was taken for lost writes nothing. */
  applyMove(moving: MovingPage, work: () => Promise<MovedPage>): Promise<void> {
    return this.db.write(async () => {
      await this.runs.recordStep(moving.run, {});
      const moved = await work();
      await this.endMove(moving, moved);
    });
  }

  /** The link of the page, locked; a new one where it has none. */
  async lockLink({ session, page }: Pick<MovingPage, 'session' | 'page'>): Promise<CmsLink> {
    const { site_id } = session.site;
    const { crp_external_id, crp_node } = page;
    const [known] = crp_external_id === null ? [] : await this.links.findByExternal(site_id, [crp_external_id]);
    const [ofNode] = known || crp_node === null ? [] : await this.links.findByNodes(site_id, [crp_node]);
    const found = known ?? ofNode;
    if (found) return found;
    const facts = { lnk_site: site_id, lnk_node: crp_node, lnk_external_id: crp_external_id, lnk_name: page.crp_name };
    const link = CmsLink.blank({ tenant_id: requireScope().tenant_id, lnk_id: this.ids.next(), ...facts }, this.clock.now());
    return this.links.insert(link);
  }

  /** The row of a page of the CMS that turned out to be the page here: it was met alone by the same run. */
  forgetTwin({ run, page }: MovingPage, external_id: string): Promise<void> {
    return this.pages.forgetTwin(run.job_id, { external_id, seq: page.crp_seq });
  }

  async removeLink(link: CmsLink): Promise<void> {
    await this.links.remove(link);
  }

  async saveLink(link: CmsLink): Promise<void> {
    await this.links.save(link);
  }

  /** A page that failed keeps its error on its link, and the run goes on. */
  failPage(moving: MovingPage, error: { readonly code: string; readonly message: string }): Promise<void> {
    return this.db.write(async () => {
      const { run, page } = moving;
      const link = await this.lockLink(moving);
      link.fail(error, this.clock);
      await this.links.save(link);
      const crp_error = { ...error, message: error.message.slice(0, 1_000), at: this.clock.now().toISOString() };
      await this.pages.endPage(run.job_id, page.crp_seq, { crp_status: 'failed', crp_error });
      await this.runs.recordStep(run, { failed: 1 });
    });
  }

  /** A page that was moved goes live as well; where it cannot, its row says why. */
  publishMoved({ run, page }: MovingPage, publish: () => Promise<void>): Promise<void> {
    return this.db.write(async () => {
      await publish();
      await this.pages.markPublished(run.job_id, page.crp_seq);
      await this.runs.recordStep(run, { published: 1 });
    });
  }

  private async endMove({ session, run, page, move, by }: MovingPage, { count, ...ended }: MovedPage): Promise<void> {
    const isMoved = count === 'created' || count === 'updated' || count === 'deleted';
    await this.pages.endPage(run.job_id, page.crp_seq, { crp_status: 'done', crp_action: actionOf(move), ...ended });
    const status = ended.crp_status ?? 'done';
    const published = ended.crp_published ? { published: 1 } : {};
    await this.runs.recordStep(run, status === 'done' ? { done: 1, [count]: 1, ...published } : { [count]: 1 });
    if (isMoved)
      this.meter.chargeUsage({
        param: 'site.cms_pages',
        units: 1,
        user: by?.user_id ?? null,
        key: by?.key_id ?? null,
        ref: { job_id: run.job_id, site_id: session.site.site_id },
        at: this.clock.now(),
        source: `${run.job_id}:${page.crp_seq}`,
      });
  }
}
