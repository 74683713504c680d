import { Injectable } from '@nestjs/common';
import type { WorkOutcome } from '@atrium/platform/database';
import { Problem, type DomainEvent, type JsonObject } from '@atrium/platform/kernel';
import { SteppedRuns, WorkEngine, type JobRun } from '@atrium/platform/messaging';
import type { Principal } from '@atrium/platform/access';
import { SiteAccess } from '../../sites/application/site-access';
import { CmsProblem } from '../domain/cms-problem';
import type { RunCount, SyncRun } from '../domain/sync-run';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { ConnectionHealth } from './connection-health';

/** The runs of sites. What a CMS answers is final: it has been asked several times by then. */
@Injectable()
export class SyncRuns extends SteppedRuns<SyncRun, RunCount> {
  constructor(
    engine: WorkEngine,
    private readonly runs: SyncRunsRepository,
    private readonly health: ConnectionHealth,
    private readonly access: SiteAccess,
  ) {
    super(engine, runs);
  }

  /** A job that comes back from the queue after its run was resumed by another has nothing to do. */
  async runFenced(
    { job_id, fence }: { readonly job_id: string; readonly fence: number },
    job: JobRun,
    work: (run: SyncRun) => Promise<WorkOutcome>,
  ): Promise<void> {
    const row = await this.engine.db.read(() => this.runs.findRow(job_id));
    if (!row || row.fence !== fence) return;
    await this.runWork(job_id, job, (run) => this.watched(run, work));
  }

  /** The queue has given up the job that has the run. */
  async giveUpFenced({ job_id, fence }: { readonly job_id: string; readonly fence: number }, reason: string): Promise<void> {
    const row = await this.engine.db.read(() => this.runs.findRow(job_id));
    if (row?.fence === fence) await this.giveUp(job_id, reason);
  }

  /** The asker with the rights of this moment, those to the site too, asked before each page; the site's own runs act as nobody. */
  async findActing(run: SyncRun): Promise<Principal | null> {
    if (run.job_created_by === null) return null;
    const by = await this.findAsker(run, { permission: 'site:cms:sync' });
    await this.engine.db.read(() => this.access.requireEditable(by, run.site_id));
    return by;
  }

  /** Within the unit of work of the last step. */
  async storeResult(run: SyncRun, result: JsonObject): Promise<void> {
    await this.changeRow(run, (row) => {
      row.result = result;
    });
  }

  protected labelOf(): string {
    return 'cms-sync';
  }

  protected eventsOf({ job_id, site_id, direction, status, created, updated, deleted, failed }: SyncRun): readonly DomainEvent[] {
    const name = status === 'failed' ? 'cms.sync_failed' : 'cms.sync_completed';
    return status === 'cancelled'
      ? []
      : [{ name, subject_id: site_id, payload: { job_id, direction, status, created, updated, deleted, failed } }];
  }

  protected override isFinal(error: unknown): error is Problem {
    return super.isFinal(error) || error instanceof CmsProblem;
  }

  /** What a run learns of its connection is shown there. */
  private async watched(run: SyncRun, work: (run: SyncRun) => Promise<WorkOutcome>): Promise<WorkOutcome> {
    try {
      const outcome = await work(run);
      await this.health.recordSuccess(run.site_id);
      return outcome;
    } catch (error) {
      if (error instanceof CmsProblem) await this.health.recordProblem(run.site_id, error);
      throw error;
    }
  }
}
