import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type DueRows, type RemovedBatch } from '@atrium/governance';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { PassRows } from '../infrastructure/pass-rows';
import { RunsRepository } from '../infrastructure/runs.repository';

/** Finished runs and their rows are kept as long as the workspace keeps records of background work. */
@Injectable()
export class SourceRetention implements OnModuleInit {
  constructor(
    private readonly runs: RunsRepository,
    private readonly passes: PassRows,
    private readonly targets: RetentionTargets,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'job_rows',
      // They tell of work, not of content: a hold keeps the content.
      findHeldRows: () => Promise.resolve([]),
      countDue: (before) => this.count(before),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  private async count(before: Date): Promise<DueRows> {
    return { ...(await this.runs.countDue(finished(before))), bytes: 0, held: 0 };
  }

  /** Rows first, a bounded number a batch: a run may have a million of them. */
  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const due = sql`r.job_id IN (SELECT r.job_id FROM object_sync_run r WHERE ${finished(before)} ORDER BY r.finished, r.job_id LIMIT ${batch})`;
    if (await this.passes.removeOf(due)) return { removed: 0, bytes: 0, left: true };
    const removed = await this.runs.deleteDue(finished(before), batch);
    return { removed, bytes: 0, left: removed === batch };
  }
}

const finished = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.finished < ${before}`;
