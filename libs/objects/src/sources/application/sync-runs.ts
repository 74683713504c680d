import { Injectable } from '@nestjs/common';
import type { WorkOutcome } from '@atrium/platform/database';
import { Outage, Problem, type DomainEvent } from '@atrium/platform/kernel';
import { SteppedRuns, WorkEngine, type JobRun } from '@atrium/platform/messaging';
import type { RunCount, SyncRun } from '../domain/sync-run';
import { PassRows } from '../infrastructure/pass-rows';
import { RunsRepository } from '../infrastructure/runs.repository';
import type { Acting } from './pass-plan';

/** The runs of sources. What a source answers is final: it has been asked several times by then. */
@Injectable()
export class SyncRuns extends SteppedRuns<SyncRun, RunCount> {
  constructor(
    engine: WorkEngine,
    runs: RunsRepository,
    private readonly passes: PassRows,
  ) {
    super(engine, runs);
  }

  override async runWork(job_id: string, job: JobRun, work: (run: SyncRun) => Promise<WorkOutcome>): Promise<void> {
    await super.runWork(job_id, job, work);
    // Also of a run that was cancelled, or whose worker was lost in its last moment.
    while (await this.engine.db.write(() => this.passes.deleteSeen(job_id))) await job.heartbeat();
  }

  /** The asker with the rights of this moment; a run by the clock is nobody's. Asked before each step. */
  async findActing(run: SyncRun): Promise<Acting> {
    if (run.trigger === 'schedule') return null;
    return this.findAsker(run, { permission: 'object:source:edit', module: 'module-objects' });
  }

  protected labelOf(): string {
    return 'sync';
  }

  protected eventsOf({ job_id, job_source, status, created, updated, deactivated, held_deletes }: SyncRun): readonly DomainEvent[] {
    return [{ name: 'object.synced', subject_id: job_source, payload: { job_id, status, created, updated, deactivated, held_deletes } }];
  }

  protected override isFinal(error: unknown): error is Problem {
    return super.isFinal(error) || (error instanceof Problem && error.code.startsWith('upstream_') && !(error instanceof Outage));
  }
}
