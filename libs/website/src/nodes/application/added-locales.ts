import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Outbox, planJob, type JobRun } from '@atrium/platform/messaging';
import { SiteListeners } from '../../sites/application/site-listeners';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { settleDrafts, type SettleDraftsPayload } from '../jobs/nodes.jobs';
import { DraftSettling } from './draft-settling';

/** Nodes of one unit of work. */
const STRETCH = 50;

/** Locales that are added to a site: drafts learn what they show in them, and what of it is not translated. */
@Injectable()
export class AddedLocales implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly listeners: SiteListeners,
    private readonly sites: SitesRepository,
    private readonly nodes: NodesRepository,
    private readonly settling: DraftSettling,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.listeners.register({
      onLocalesAdded: ({ site_id }) => {
        this.outbox.addJob(planJob(settleDrafts, { site_id, after: null }));
        return Promise.resolve();
      },
    });
  }

  /** Doing it again changes nothing more. */
  async settleSite({ site_id, after }: SettleDraftsPayload, run: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    for (let at = after; ;) {
      run.signal.throwIfAborted();
      const last = await this.db.write(() => this.settleStretch(site_id, at));
      if (last === null) return;
      at = last;
      await run.heartbeat();
    }
  }

  private async settleStretch(site_id: string, after: string | null): Promise<string | null> {
    const site = await this.sites.findRow(site_id);
    if (!site) return null;
    const ids = await this.nodes.lockStretch(site_id, after, STRETCH);
    await this.settling.settleNodes(site, ids, null);
    return ids.length < STRETCH ? null : (ids.at(-1) ?? null);
  }
}
