import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { PlanFindings, type PlanDirection, type SyncPlan } from '../domain/sync-plan';
import { RunPageRows } from '../infrastructure/run-pages.rows';
import { SyncService, type RunAnswer } from './sync.service';

const MOST_LISTED = 1_000;
const STRETCH = 1_000;

/** Comparisons whose verdicts are stored: a run makes them, and its answer is the plan that follows from them. */
@Injectable()
export class ScanService {
  constructor(
    private readonly db: Database,
    private readonly sync: SyncService,
    private readonly pages: RunPageRows,
    private readonly clock: Clock,
  ) {}

  /** Without a plan while the run goes on. */
  async scan(caller: Principal, site_id: string, direction: PlanDirection): Promise<RunAnswer & { readonly plan: SyncPlan | null }> {
    const answer = await this.sync.movePages(caller, site_id, 'scan', {});
    if (!answer.pages) return { ...answer, plan: null };
    const { job_id, status, error, finished_at } = answer.run;
    if (status === 'failed') throw new Problem('unprocessable_content', error ?? 'The site could not be compared.');
    const found = new PlanFindings(direction, MOST_LISTED);
    await this.db.read(async () => {
      for (let after = 0; ;) {
        const compared = await this.pages.listCompared(job_id, after, STRETCH);
        for (const { crp_seq: _, ...page } of compared) found.addPage(page);
        after = compared.at(-1)?.crp_seq ?? after;
        if (compared.length < STRETCH) return;
      }
    });
    return { ...answer, plan: found.planAt(finished_at ?? this.clock.now(), status !== 'cancelled') };
  }
}
