import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import type { RunDirection, RunRequest } from '../domain/sync-run';
import { CmsLinksRepository, type LinkRow } from '../infrastructure/cms-links.repository';
import { RunPageRows } from '../infrastructure/run-pages.rows';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { assertMayPublish } from './publish-right';
import { RunStarts } from './run-starts';
import { RunViews, type RunPageView, type RunView } from './run-views';
import { RunWaiting } from './run-waiting';

export type { LinkRow };

/** What a request asks for, besides what its run does. */
export interface SyncOrder extends RunRequest {
  readonly background?: boolean;
  readonly dryRun?: boolean;
}

/** A run that has finished, with its pages; or one that goes on. */
export interface RunAnswer {
  readonly run: RunView;
  readonly pages: readonly RunPageView[] | null;
}

export interface LinkFilters extends ListParameters {
  readonly node_id?: string;
  readonly external_id?: string;
}

const MOST_SHOWN = 1_000;

/** Asks for runs, and shows their outcome in the answer where they are short. */
@Injectable()
export class SyncService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly starts: RunStarts,
    private readonly runs: SyncRunsRepository,
    private readonly pages: RunPageRows,
    private readonly links: CmsLinksRepository,
    private readonly views: RunViews,
    private readonly waiting: RunWaiting,
  ) {}

  listLinks(caller: Principal, site_id: string, { node_id, external_id, ...query }: LinkFilters): Promise<Page<LinkRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.links.listLinks(site_id, query, { node_id, external_id });
    });
  }

  /** Within a unit of work: refuses while a run of the site has not finished. */
  assertIdle(site_id: string): Promise<void> {
    return this.starts.assertIdle(site_id);
  }

  /** Only a worker moves pages; the request waits for it as long as it is worth it. */
  async movePages(caller: Principal, site_id: string, direction: RunDirection, order: SyncOrder): Promise<RunAnswer> {
    const { background = false, dryRun = false, ...request } = order;
    assertMayPublish(caller, { direction, request });
    const started = await this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      const asked = { site_id, direction, trigger: 'manual' as const, asker: caller, request, dry_run: dryRun };
      return this.viewRun(site_id, await this.starts.startRun(asked));
    });
    if (background) return { run: started, pages: null };
    const { job_id } = started;
    const isFinished = (await this.waiting.awaitRun(site_id, job_id)) !== null;
    return this.db.read(async () => ({
      run: await this.viewRun(site_id, job_id),
      pages: isFinished ? await this.pages.listPages(job_id, { after: 0, most: MOST_SHOWN }) : null,
    }));
  }

  /** Within a unit of work. */
  private async viewRun(site_id: string, job_id: string): Promise<RunView> {
    const run = await this.runs.findStored(site_id, job_id);
    const [view] = run ? await this.views.viewRuns([run]) : [];
    if (!view) throw notFound('sync run');
    return view;
  }
}
