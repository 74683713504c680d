import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type DueRows, type RemovedBatch } from '@atrium/governance';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { WebsiteExpiry } from '../../sites/application/website-expiry';
import { RUN_PAGES_KEPT_MS } from '../domain/sync-run';
import { RunPageRows } from '../infrastructure/run-pages.rows';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';

const AT_ONCE = 1_000;

/** Finished runs are kept as long as the workspace keeps records of background work, and their pages for 30 days. */
@Injectable()
export class SyncRetention implements OnModuleInit {
  constructor(
    private readonly runs: SyncRunsRepository,
    private readonly pages: RunPageRows,
    private readonly targets: RetentionTargets,
    private readonly expiry: WebsiteExpiry,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'job_rows',
      // They are about work, not content: a hold keeps the content.
      findHeldRows: () => Promise.resolve([]),
      countDue: (before) => this.count(before),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
    this.expiry.register({
      name: 'cms-run-pages',
      removeStretch: () => this.pages.removeOld(this.clock.after(-RUN_PAGES_KEPT_MS), AT_ONCE),
    });
  }

  private async count(before: Date): Promise<DueRows> {
    return { ...(await this.runs.countDue(finished(before))), bytes: 0, held: 0 };
  }

  /** Pages first, a bounded number a batch: a run may have a hundred thousand of them. */
  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    if (await this.pages.removeOld(before, batch)) return { removed: 0, bytes: 0, left: true };
    const removed = await this.runs.deleteDue(finished(before), batch);
    return { removed, bytes: 0, left: removed === batch };
  }
}

const finished = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.finished_at < ${before}`;
