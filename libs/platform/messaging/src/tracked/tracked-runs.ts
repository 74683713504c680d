import type { Principal } from '@atrium/platform/access';
import type { TrackedState, WorkOutcome } from '@atrium/platform/database';
import { Problem, type Clock, type DomainEvent } from '@atrium/platform/kernel';
import type { JobRun } from '../job-handling';
import { isRefusal, reasonToStop } from './reasons-to-stop';
import { WorkEnded, type WorkAttempt, type WorkRows } from './tracked.repository';
import type { RequestedWork, WorkEngine, WorkRights } from './work-engine';

/**
 * What is the same in every kind of tracked work: it begins once, goes on where another worker was lost, stops when it was cancelled,
 * and ends with a reason that people can read. A fault that may pass is left to the queue, which runs the job again. A kind says what
 * its work is called, what is announced when it ends, and what it does.
 */
export abstract class TrackedRuns<R extends TrackedState<string>, O extends WorkOutcome = WorkOutcome> {
  protected constructor(
    protected readonly engine: WorkEngine,
    private readonly rows: WorkRows<R>,
  ) {}

  /** One run of a worker: `work` gets the row as it began. */
  async runWork(job_id: string, run: Pick<JobRun, 'heartbeat' | 'givesUpOn'>, work: (row: R) => Promise<O>): Promise<void> {
    const row = await this.beginRun(job_id);
    if (!row) return;
    try {
      await this.finishRun(row, await work(row));
    } catch (error) {
      // Cancelled; a worker that another one has followed learns here that the job is no longer its own.
      if (error instanceof WorkEnded) {
        await run.heartbeat();
        return;
      }
      const reason = await reasonToStop(error, run, (fault) => this.isFinal(fault));
      if (reason === undefined) throw error;
      this.engine.reportFault(error, { work: this.labelOf(row), job_id });
      await this.finishRun(row, this.failureOf(reason, error));
    }
  }

  /** The queue has given the work up, and no run can say so. */
  giveUp(job_id: string, reason: string, cause?: unknown): Promise<void> {
    return this.closeUnfinished(job_id, this.failureOf(reason, cause));
  }

  /** Cancels the work, within the unit of work of who may do so: what is done stays, and the worker stops at its next step. */
  async cancelWork(job_id: string): Promise<R> {
    const row = await this.rows.lock(job_id);
    row.cancel(this.engine.clock);
    await this.rows.save(row);
    for (const event of this.eventsOf(row)) this.engine.outbox.emitEvent(event);
    this.engine.outbox.interruptWork(job_id);
    return row;
  }

  findAsker(row: RequestedWork, rights?: WorkRights): Promise<Principal> {
    return this.engine.findAsker(row, rights);
  }

  /** Throws where the work was cancelled or has gone to another worker; for checkpoints without a step. */
  async assertRunning(attempt: WorkAttempt): Promise<void> {
    if (!(await this.engine.db.read(() => this.rows.isRunning(attempt)))) throw new WorkEnded();
  }

  /** The work as metrics count it. */
  protected abstract labelOf(row: R): string;

  /** What is announced when the work has ended, in whatever state. */
  protected abstract eventsOf(row: R): readonly DomainEvent[];

  /** Writes what the work came to into its row; a kind that stores more than the outcome adds to it. */
  protected writeOutcome(row: R, outcome: O, clock: Clock): void {
    row.finish(outcome, clock);
  }

  /** Whether no further run can help. */
  protected isFinal(error: unknown): error is Problem {
    return isRefusal(error);
  }

  /** How work ends that fails; `cause` is what a run threw, where one did. */
  protected failureOf(error: string, _cause?: unknown): O {
    return { status: 'failed', error } as O;
  }

  /** Changes the row of an attempt, within the unit of work of a step that does more than count. */
  protected async changeRow({ job_id, job_attempt }: WorkAttempt, change: (row: R) => void): Promise<R> {
    const row = await this.lockRow(job_id);
    if (!row || row.isFinished || row.job_attempt !== job_attempt) throw new WorkEnded();
    change(row);
    await this.rows.save(row);
    return row;
  }

  /** Ends the work, whichever run has it. */
  protected closeUnfinished(job_id: string, outcome: O): Promise<void> {
    return this.engine.db.write(async () => {
      const row = await this.lockRow(job_id);
      if (row && !row.isFinished) await this.close(row, outcome);
    });
  }

  /** The row that has begun, or goes on; undefined where it has ended. */
  protected beginRun(job_id: string): Promise<R | undefined> {
    return this.engine.db.write(async () => {
      const row = await this.lockRow(job_id);
      if (!row || row.isFinished) return undefined;
      row.begin(this.engine.clock);
      await this.rows.save(row);
      await this.rows.readOrder?.(row);
      return row;
    });
  }

  /** Ends the work of the attempt; `WorkEnded` where another run has it. */
  protected finishRun({ job_id, job_attempt }: WorkAttempt, outcome: O): Promise<void> {
    return this.engine.db.write(async () => {
      const row = await this.lockRow(job_id);
      if (!row || row.isFinished) return;
      if (row.job_attempt !== job_attempt) throw new WorkEnded();
      await this.close(row, outcome);
    });
  }

  private async close(row: R, outcome: O): Promise<void> {
    this.writeOutcome(row, outcome, this.engine.clock);
    if (row.status === 'failed') this.engine.countFailure(this.labelOf(row));
    await this.rows.save(row);
    for (const event of this.eventsOf(row)) this.engine.outbox.emitEvent(event);
  }

  /** Undefined where the subject went with all that it had. */
  private lockRow(job_id: string): Promise<R | undefined> {
    return this.rows.lock(job_id).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
  }
}
