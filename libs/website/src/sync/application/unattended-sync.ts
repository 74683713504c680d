import { Injectable } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import { JobPause, Outbox, planJob } from '@atrium/platform/messaging';
import type { CmsSiteConnection } from '../domain/cms-site-connection';
import type { RunRequest, RunTrigger, SyncRun } from '../domain/sync-run';
import type { Verdict } from '../domain/verdict';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { RunPageRows } from '../infrastructure/run-pages.rows';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { readCmsNews } from '../jobs/sync.jobs';
import { CmsMails } from './cms-mails';
import { NightlyTimes } from './nightly-times';
import { RunStarts } from './run-starts';

const MOST_NEWS = 500;
const BUSY_PAUSE_MS = 10 * SECOND;
const MOST_NAMES = 10;
const NEWS: readonly Verdict[] = ['remote_changed', 'remote_only', 'remote_deleted', 'conflict'];

/** Synchronization that nobody asks for: nights, and events of the CMS. It never writes to the CMS. */
@Injectable()
export class UnattendedSync {
  constructor(
    private readonly db: Database,
    private readonly connections: CmsConnectionsRepository,
    private readonly runs: SyncRunsRepository,
    private readonly pages: RunPageRows,
    private readonly starts: RunStarts,
    private readonly nights: NightlyTimes,
    private readonly mails: CmsMails,
    private readonly outbox: Outbox,
  ) {}

  /** Sites of all workspaces that are due for the night. */
  listDue(most: number): Promise<readonly { readonly tenant_id: string; readonly site_id: string }[]> {
    return this.connections.findDueSites(most);
  }

  /** A night in which the site still runs is passed over. */
  startNight({ tenant_id, site_id }: { readonly tenant_id: string; readonly site_id: string }): Promise<void> {
    return inWorkspace(tenant_id, () =>
      this.db.write(async () => {
        const connection = await this.connections.lockOne(site_id);
        if (!connection) return;
        connection.cms_next_scan = connection.isScanned ? await this.nights.findNext(site_id) : null;
        await this.connections.save(connection);
        if (connection.cms_status === 'revoked' || (await this.runs.findOpenRun(site_id))) return;
        await this.start(connection, 'automation', {});
      }),
    );
  }

  /** Compares the pages that events have named; while a run is at work, they wait. */
  readNews(site_id: string): Promise<void> {
    return this.db.write(async () => {
      const connection = await this.connections.lockOne(site_id);
      if (!connection || connection.cms_status === 'revoked') return;
      if (await this.runs.findOpenRun(site_id)) throw new JobPause(BUSY_PAUSE_MS);
      const named = await this.connections.takeNews(site_id, MOST_NEWS);
      if (named.length === 0) return;
      if (named.length === MOST_NEWS) this.outbox.addJob(planJob(readCmsNews, { site_id }, { delayMs: BUSY_PAUSE_MS }));
      const parts = (kind: string): string[] => named.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
      await this.start(connection, 'webhook', { externalIds: parts('id:'), paths: parts('path:') });
    });
  }

  /** What such a run has found is reported to the contacts of the site, if they want to know. */
  async reportRun(run: SyncRun): Promise<void> {
    if (run.trigger !== 'automation' && run.trigger !== 'webhook') return;
    await this.db.write(async () => {
      const connection = await this.connections.lockOne(run.site_id);
      const found = await this.pages.countAllVerdicts(run.job_id);
      const changes = found.filter(({ verdict }) => NEWS.includes(verdict));
      if (!connection || changes.length === 0) return;
      const verdicts = Object.fromEntries(changes.map(({ verdict, pages }) => [verdict, pages]));
      this.outbox.emitEvent({ name: 'cms.changes_detected', subject_id: run.site_id, payload: { job_id: run.job_id, verdicts } });
      if (connection.cms_notify !== 'changes') return;
      const names = await this.pages.findNames(run.job_id, NEWS, MOST_NAMES);
      const stored = await this.runs.findRow(run.job_id);
      await this.mails.sendChanges(connection, { verdicts, pulled: (stored?.created ?? 0) + (stored?.updated ?? 0), names }, run.job_id);
    });
  }

  private async start({ cms_site: site_id, cms_auto_pull }: CmsSiteConnection, trigger: RunTrigger, request: RunRequest): Promise<void> {
    const statuses: Verdict[] = cms_auto_pull === 'all' ? ['remote_changed', 'remote_only'] : ['remote_changed'];
    const direction = cms_auto_pull === 'off' ? 'scan' : 'pull';
    await this.starts.startRun({
      site_id,
      direction,
      trigger,
      asker: null,
      request: direction === 'scan' ? request : { ...request, statuses },
    });
  }
}
