import { Injectable, Optional } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { permissionDenied } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Outage, Problem, type DomainEvent } from '@atrium/platform/kernel';
import { Outbox, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Metrics } from '@atrium/platform/observability';
import type { RunOutcome, SyncRun } from '../domain/sync-run';
import { PassRows } from '../infrastructure/pass-rows';
import { RunEnded, RunsRepository } from '../infrastructure/runs.repository';
import type { Acting } from './pass-plan';

const SERVER_FAULT = 500;
const GIVEN_UP = 'The run could not be finished. Start it again.';
const ASKER_GONE = 'The member or key that asked for this run is gone or has lost its rights. Somebody else can start it.';

/** However a run ended. */
export const finishedEvent = ({ job_id, job_source, status, created, updated, deactivated, held_deletes }: SyncRun): DomainEvent => ({
  name: 'object.synced',
  subject_id: job_source,
  payload: { job_id, status, created, updated, deactivated, held_deletes },
});

/**
 * What is the same in every run: it goes on where another worker was lost, stops when it was cancelled, and ends with a reason that
 * people can read. A fault of this house that passes is left to the queue, which runs the job again.
 */
@Injectable()
export class SyncRuns {
  constructor(
    private readonly db: Database,
    private readonly runs: RunsRepository,
    private readonly passes: PassRows,
    private readonly callers: ActingCallers,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  async run(job_id: string, job: JobRun, work: (run: SyncRun) => Promise<RunOutcome>): Promise<void> {
    const run = await this.begin(job_id);
    if (run) await this.attempt(run, job, work);
    // Also of a run that was cancelled, or whose worker was lost in its last moment.
    while (await this.db.write(() => this.passes.forget(job_id))) await job.heartbeat();
  }

  private async attempt(run: SyncRun, job: JobRun, work: (run: SyncRun) => Promise<RunOutcome>): Promise<void> {
    try {
      await this.finish(run, await work(run));
    } catch (error) {
      // Cancelled; a worker that another one has followed learns here that the job is no longer its own.
      if (error instanceof RunEnded) {
        await job.heartbeat();
        return;
      }
      const reason = await reasonToStop(error, job);
      if (reason === undefined) throw error;
      await this.finish(run, { status: 'failed', error: reason });
    }
  }

  /** The asker with the rights of this moment; a run by the clock is nobody's. Asked before each step. */
  async acting({ trigger, job_created_by, job_key }: SyncRun): Promise<Acting> {
    if (trigger === 'schedule') return null;
    if (job_created_by === null) throw new PermanentFailure(ASKER_GONE);
    const caller = await this.callers.of({ user_id: job_created_by, key_id: job_key }).catch((error: unknown) => {
      throw error instanceof Problem && error.status < SERVER_FAULT ? new PermanentFailure(ASKER_GONE, { cause: error }) : error;
    });
    if (!caller.permissions.has('object:source:edit')) throw permissionDenied(['object:source:edit']);
    if (!caller.modules.has('module-objects')) throw new PermanentFailure('The workspace is no longer licensed for module-objects.');
    return caller;
  }

  /** The queue has given the run up, and no attempt can say so. */
  giveUp(job_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const run = await this.locked(job_id);
      if (!run || run.isFinished) return;
      run.begin(this.clock);
      run.finish({ status: 'failed', error: reason }, this.clock);
      this.metrics?.workFailed.inc({ work: 'sync' });
      await this.runs.save(run);
      this.outbox.emit(finishedEvent(run));
    });
  }

  private begin(job_id: string): Promise<SyncRun | undefined> {
    return this.db.write(async () => {
      const run = await this.locked(job_id);
      if (!run || run.isFinished) return undefined;
      run.begin(this.clock);
      await this.runs.save(run);
      return run;
    });
  }

  private async finish({ job_id, attempt }: SyncRun, outcome: RunOutcome): Promise<void> {
    await this.db.write(async () => {
      const run = await this.locked(job_id);
      if (!run || run.isFinished) return;
      if (run.attempt !== attempt) throw new RunEnded();
      run.finish(outcome, this.clock);
      if (run.status === 'failed') this.metrics?.workFailed.inc({ work: 'sync' });
      await this.runs.save(run);
      this.outbox.emit(finishedEvent(run));
    });
  }

  /** Undefined where the source went with all that it had. */
  private locked(job_id: string): Promise<SyncRun | undefined> {
    return this.runs.lock(job_id).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
  }
}

/** Why the run ends here; undefined where another attempt may succeed. Sources have had their tries by then. */
async function reasonToStop(error: unknown, job: JobRun): Promise<string | undefined> {
  if (error instanceof PermanentFailure) return error.message;
  if (error instanceof Problem && !(error instanceof Outage) && (error.status < SERVER_FAULT || error.code.startsWith('upstream_')))
    return error.detail;
  if (!(await job.givesUpOn(error))) return undefined;
  return error instanceof Problem && error.code !== 'internal_error' ? error.detail : GIVEN_UP;
}
