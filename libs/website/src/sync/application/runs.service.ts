import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Page } from '@atrium/platform/database';
import { Clock, invalidState, notFound } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { SiteAccess } from '../../sites/application/site-access';
import type { RunDirection } from '../domain/sync-run';
import { RunPageRows } from '../infrastructure/run-pages.rows';
import { SyncRunsRepository, type StoredRun } from '../infrastructure/sync-runs.repository';
import { resumeSync } from '../jobs/sync.jobs';
import { assertMayPublish } from './publish-right';
import { RunStarts } from './run-starts';
import { RunViews, type RunPageView, type RunView } from './run-views';
import { SyncRuns } from './sync-runs';

const USUAL = 50;
const MOST = 100;
const MOVES: readonly RunDirection[] = ['pull', 'push'];

export interface RunPageFilters {
  readonly status?: string;
  readonly action?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** A run that was cancelled; `isOver`: nothing works on it any more. */
export interface CancelledRun {
  readonly run: RunView;
  readonly isOver: boolean;
}

/** The runs of a site, as clients see and steer them. */
@Injectable()
export class RunsService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly starts: RunStarts,
    private readonly runs: SyncRunsRepository,
    private readonly pages: RunPageRows,
    private readonly work: SyncRuns,
    private readonly views: RunViews,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(
    caller: Principal,
    site_id: string,
    { limit = USUAL, direction }: { readonly limit?: number | undefined; readonly direction?: readonly RunDirection[] | undefined },
  ): Promise<Page<RunView>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      const most = Math.min(limit, MOST);
      const found = await this.runs.listNewest(site_id, { directions: direction?.length ? direction : MOVES, most: most + 1 });
      return { data: await this.views.viewRuns(found.slice(0, most)), has_more: found.length > most, next_cursor: null };
    });
  }

  get(caller: Principal, site_id: string, job_id: string): Promise<RunView> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.view(await this.stored(site_id, job_id));
    });
  }

  listPages(
    caller: Principal,
    site_id: string,
    job_id: string,
    { limit = USUAL, cursor, ...filters }: RunPageFilters,
  ): Promise<Page<RunPageView>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      await this.stored(site_id, job_id);
      const most = Math.min(limit, 1_000);
      const after = /^\d{1,9}$/.test(cursor ?? '') ? Number(cursor) : 0;
      const found = await this.pages.listPages(job_id, { after, most: most + 1, status: filters.status, action: filters.action });
      const data = found.slice(0, most);
      return { data, has_more: found.length > most, next_cursor: found.length > most ? String(data.at(-1)?.crp_seq ?? 0) : null };
    });
  }

  /** What was moved stays; a worker stops at its next page. */
  cancel(caller: Principal, site_id: string, job_id: string): Promise<CancelledRun> {
    return this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      const before = await this.view(await this.stored(site_id, job_id));
      await this.work.cancelWork(job_id);
      return { run: await this.view(await this.stored(site_id, job_id)), isOver: before.status !== 'running' };
    });
  }

  resume(caller: Principal, site_id: string, job_id: string): Promise<RunView> {
    return this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      await this.stored(site_id, job_id);
      const run = await this.runs.lock(job_id);
      run.resume(this.clock, this.views.stallMs);
      await this.runs.save(run);
      this.outbox.addJob(planJob(resumeSync, { job_id, fence: run.fence }));
      return this.view(await this.stored(site_id, job_id));
    });
  }

  /** Another run over the pages that failed. */
  retry(caller: Principal, site_id: string, job_id: string): Promise<RunView> {
    return this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      await this.stored(site_id, job_id);
      const run = await this.runs.lock(job_id);
      assertMayPublish(caller, run);
      run.assertRetriable();
      if (!(await this.pages.hasFailed(job_id))) throw invalidState('The pages of the sync run are no longer known. Start another run.');
      const { nodeIds: _nodes, externalIds: _externals, paths: _paths, ...request } = run.request;
      const order = { site_id, direction: run.direction, trigger: 'retry' as const, asker: caller, request, retry_of: job_id };
      const retried_by = await this.starts.startRun(order);
      run.retry(retried_by);
      await this.runs.save(run);
      return this.view(await this.stored(site_id, retried_by));
    });
  }

  private async view(run: StoredRun): Promise<RunView> {
    const [view] = await this.views.viewRuns([run]);
    if (!view) throw notFound('sync run');
    return view;
  }

  private async stored(site_id: string, job_id: string): Promise<StoredRun> {
    const run = await this.runs.findStored(site_id, job_id);
    if (!run) throw notFound('sync run');
    return run;
  }
}
