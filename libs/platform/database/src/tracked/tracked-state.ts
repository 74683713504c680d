import { TenantRow } from '../fields';
import { allFailed, endOfWork, invalidState, type Clock, type EndOfWork } from '@atrium/platform/kernel';
import { WORK_STATES, type WorkOutcome, type WorkStatus } from './work-status';

const LONGEST_ERROR = 1_000;

/**
 * The states of work in the background, whatever its columns are called: it begins once and goes on where a worker was lost, it is
 * cancelled while it has not ended, and what its items came to decides how it ends. Work that has ended never changes again, except for
 * what becomes of its result (`Later`).
 */
export abstract class TrackedState<Later extends string = never> extends TenantRow {
  abstract readonly job_id: string;
  abstract status: WorkStatus | Later;
  abstract readonly done: number;
  abstract readonly failed: number;
  abstract error: string | null;
  abstract job_started: Date | null;
  abstract job_finished: Date | null;
  /** Which run of a worker counts: the last one that began, by its number or by what only it writes. */
  abstract job_attempt: number | string | null;

  /** What people call the work. */
  protected get noun(): string {
    return 'job';
  }

  /** What people call one of its items. */
  protected get item(): string {
    return 'item';
  }

  /** Items of any kind with which it got somewhere. */
  protected get doneInAll(): number {
    return this.done;
  }

  get isFinished(): boolean {
    return this.status !== 'queued' && this.status !== 'running';
  }

  /** The work begins, or goes on in another worker: steps of one that was taken for lost count no more. */
  begin(clock: Clock): void {
    if (this.status !== 'running') {
      this.moveTo('running');
      this.job_started = clock.now();
    }
    this.nextAttempt();
  }

  cancel(clock: Clock): void {
    if (this.isFinished) throw invalidState(`The ${this.noun} is ${this.status} already and cannot be cancelled.`);
    this.end('cancelled', clock);
  }

  /** Work that got to its end is partial where items failed, and has failed where all of them did. */
  finish({ status, error = null }: WorkOutcome, clock: Clock): void {
    const counted = endOfWork({ done: this.doneInAll, failed: this.failed });
    const nothingDone = status !== 'failed' && counted === 'failed';
    this.error = (error ?? (nothingDone ? allFailed(this.failed, this.item) : null))?.slice(0, LONGEST_ERROR) ?? null;
    this.end(nothingDone ? counted : this.endOf(status, counted), clock);
  }

  /** How work ends that says how it ended, and whose items came to something: `completed` is what the counts say. */
  protected endOf(status: EndOfWork, counted: EndOfWork): EndOfWork {
    return status === 'completed' ? counted : status;
  }

  /** The last thing that happens to the row. */
  protected end(status: WorkStatus, clock: Clock): void {
    this.moveTo(status);
    this.job_finished = clock.now();
  }

  /** Steps of the run before count no more. */
  protected nextAttempt(): void {
    this.job_attempt = Number(this.job_attempt) + 1;
  }

  private moveTo(status: WorkStatus): void {
    this.status = WORK_STATES.move(this.status as WorkStatus, status);
  }
}
