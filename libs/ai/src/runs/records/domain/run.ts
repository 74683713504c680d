import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { HOUR, invalidState, MINUTE, StateMachine, type Clock, type JsonObject } from '@atrium/platform/kernel';
import type { RunPlan } from './run-plan';
import type { RunSource } from './run-source';

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'completed', 'failed', 'stopped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
/** How a run ends. */
export type RunEnd = Extract<RunStatus, 'completed' | 'failed' | 'stopped'>;

const STATUS = new StateMachine<RunStatus>('run', {
  queued: ['running', 'stopped', 'failed'],
  running: ['queued', 'waiting', 'completed', 'failed', 'stopped'],
  waiting: ['queued', 'stopped', 'failed'],
});

/** A run that lost its worker this often is given up. */
const MOST_LOSSES = 3;
/** A run that waits for somebody longer than this has expired. */
export const WAITS_MS = 24 * HOUR;
/** A run that is queued or at work and gives no sign of life for longer than this has come to a standstill. */
export const SILENT_MS = 15 * MINUTE;

/** A run has so long for its steps; then no tools are offered any more, so that the answer comes. Time in which it waits for somebody does not count. */
const STEPS_MS = 10 * MINUTE;
/** So long afterwards it ends with what it has. It ends before the time of its job does, which would hand it to the next worker. */
const LAST_STEP_MS = 4 * MINUTE;

/** What becomes of a run that a worker takes up. */
export type Claim = 'began' | 'taken over' | 'given up';

/** What a run is asked for: where, by whom, of which agent and model, and with which options. */
type AskedRun = Pick<
  Run,
  | 'run_id'
  | 'run_thread'
  | 'run_message'
  | 'run_user'
  | 'run_key'
  | 'run_agent'
  | 'run_agent_version'
  | 'run_model'
  | 'run_options'
  | 'run_input'
>;

/**
 * The answering of one message, step by step, or of one question without a thread. Each claim by a worker raises the attempt;
 * a worker with a lower one can write nothing any more.
 */
@Resource({ table: 'run', sort: '-run_created' })
export class Run extends TenantRow {
  @Id({ about: 'Id of the run.', filter: undefined }) readonly run_id!: string;
  @Ref({ optional: true, about: 'Thread of the run. Null for a run without a thread.' }) readonly run_thread!: string | null;
  @Ref({ optional: true, about: 'The answer, an assistant message.' }) readonly run_message!: string | null;
  @Ref({ optional: true, about: 'User who asked.' }) readonly run_user!: string | null;
  @Ref({ about: 'Agent that answers.' }) readonly run_agent!: string;
  @Whole({ about: 'Version of the agent.', example: 3, column: 'integer' }) readonly run_agent_version!: number;
  @Text({ about: 'Model that answers.', example: 'atrium/extract-1' }) readonly run_model!: string;
  @Choice(RUN_STATUSES, { about: 'Status of the run. `waiting`: for the approval of a tool call or for the client.', example: 'completed' })
  run_status!: RunStatus;
  @Json({ optional: true, about: 'The answer of a run without a thread: `{output, data, citations}`.' }) run_output!: JsonObject | null;
  @Whole({ about: 'Number of attempts.', example: 1, column: 'integer' }) run_attempt!: number;
  @Whole({ about: 'Number of completed steps, each a model call.', example: 2, column: 'integer' }) run_steps!: number;
  @Text({ optional: true, about: 'Reason the run may have read text that the user did not write. Null if it has not.' })
  run_tainted!: string | null;
  @Json({ optional: true, about: 'Tokens and credits used.' }) run_usage!: JsonObject | null;
  @Json({ optional: true, about: 'Reason for the failure: `{code, detail}`.' }) run_error!: JsonObject | null;
  @Stamp({ about: 'When the run was requested.' }) readonly run_created!: Date;
  @Stamp({ optional: true, about: 'When the first attempt started.' }) run_started!: Date | null;
  @Stamp({ optional: true, about: 'When the run ended.' }) run_finished!: Date | null;

  /** What the provider itself said of it; not for everybody who reads the run. */
  @Text({ internal: true, optional: true }) run_reason!: string | null;
  @Ref({ internal: true, optional: true }) readonly run_key!: string | null;
  @Json({ internal: true }) readonly run_options!: RunPlan;
  @Json({ internal: true, optional: true }) readonly run_input!: JsonObject | null;
  @Json({ internal: true }) run_sources!: readonly RunSource[];
  @Flag({ internal: true }) run_stop_requested!: boolean;
  @Text({ internal: true, optional: true }) run_hold!: string | null;
  @Text({ internal: true, optional: true }) run_checkpoint!: string | null;
  @Whole({ internal: true, column: 'integer' }) run_losses!: number;
  @Whole({ internal: true, column: 'integer' }) run_kept_parts!: number;
  /** Tokens of the step at hand, as far as they are known while it is not done. */
  @Whole({ internal: true, column: 'integer' }) run_pending_tokens!: number;
  /** Of these, what the model has said. */
  @Whole({ internal: true, column: 'integer' }) run_pending_output!: number;
  @Stamp({ internal: true }) run_alive!: Date;
  /** When the time for its steps is over; null until a worker took it up. */
  @Stamp({ internal: true, optional: true }) run_due!: Date | null;

  /** A run that was asked for and that nobody has taken up yet. */
  static queued(asked: AskedRun, clock: Clock): Run {
    const now = clock.now();
    return Object.assign(new Run(), asked, {
      run_status: 'queued' as const,
      run_output: null,
      run_sources: [],
      run_attempt: 0,
      run_steps: 0,
      run_losses: 0,
      run_kept_parts: 0,
      run_pending_tokens: 0,
      run_pending_output: 0,
      run_tainted: null,
      run_usage: null,
      run_error: null,
      run_reason: null,
      run_stop_requested: false,
      run_hold: null,
      run_checkpoint: null,
      run_alive: now,
      run_due: null,
      run_created: now,
      run_started: null,
      run_finished: null,
    });
  }

  get isOver(): boolean {
    return STATUS.isFinal(this.run_status);
  }

  /** Whether a worker with this attempt may still write. */
  isHeldBy(attempt: number): boolean {
    return this.run_status === 'running' && this.run_attempt === attempt;
  }

  /** Whether nobody can be expected to go on with it. */
  isOverdue(clock: Clock): boolean {
    return clock.now().getTime() - this.run_alive.getTime() > (this.run_status === 'waiting' ? WAITS_MS : SILENT_MS);
  }

  /** Whether the time for its steps is over: no tools are offered any more. */
  isDue(clock: Clock): boolean {
    return this.run_due !== null && this.run_due <= clock.now();
  }

  /** So long until it ends with what it has. */
  timeLeft(clock: Clock): number {
    return (this.run_due ?? clock.now()).getTime() + LAST_STEP_MS - clock.now().getTime();
  }

  /** It is looked after, although it cannot begin yet. Answers whether the last sign is so old that this is to be kept. */
  staysQueued(clock: Clock): boolean {
    const isOld = clock.now().getTime() - this.run_alive.getTime() > MINUTE;
    if (isOld) this.run_alive = clock.now();
    return isOld;
  }

  /** A worker takes it up: from the queue, or from another worker that was lost with it. */
  claim(clock: Clock): Claim {
    const wasLost = this.run_status === 'running';
    if (wasLost) this.run_losses += 1;
    // Also where nobody goes on: the worker that was lost may wake up.
    this.run_attempt += 1;
    if (this.run_losses >= MOST_LOSSES) return 'given up';
    if (!wasLost) this.run_status = STATUS.move(this.run_status, 'running');
    this.run_started ??= clock.now();
    this.run_due ??= after(clock.now(), STEPS_MS);
    // It may have been in the queue for longer than it had left; at least its last step can be made.
    if (!wasLost && this.run_due < clock.now()) this.run_due = clock.now();
    this.run_alive = clock.now();
    return wasLost ? 'taken over' : 'began';
  }

  /** The worker that has it shuts down: another goes on. */
  handBack(): void {
    this.run_status = STATUS.move(this.run_status, 'queued');
  }

  /** It needs a person or the client; nobody works on it until then. */
  wait(clock: Clock): void {
    this.run_status = STATUS.move(this.run_status, 'waiting');
    this.run_alive = clock.now();
  }

  /** All that it waited for is there. */
  resume(clock: Clock): void {
    if (this.run_status !== 'waiting') throw invalidState(`The run is ${this.run_status} and not waiting for tool results.`);
    this.run_status = STATUS.move(this.run_status, 'queued');
    const waited = clock.now().getTime() - this.run_alive.getTime();
    if (this.run_due) this.run_due = after(this.run_due, waited);
    this.run_alive = clock.now();
  }

  /** Asks the worker that has it to end it; one that no worker has ends at once. Answers whether a worker has to. */
  requestStop(): boolean {
    if (this.run_status !== 'running') return false;
    this.run_stop_requested = true;
    return true;
  }

  /** The step at hand is done, or over: none of its tokens are to be accounted for any more. */
  clearPending(): void {
    this.run_pending_tokens = 0;
    this.run_pending_output = 0;
  }

  end(status: RunEnd, clock: Clock, error: JsonObject | null = null): void {
    this.run_status = STATUS.move(this.run_status, status);
    this.run_error = error;
    this.run_finished = clock.now();
  }

  /** Takes it away from the worker that has it, if one has: what that one still says has a lower attempt. */
  takeAway(): void {
    this.run_attempt += 1;
  }
}

const after = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);

/** Whether the client that asked for a run without a thread follows its events. */
export const isFollowed = ({ run_thread, run_input }: Pick<Run, 'run_thread' | 'run_input'>): boolean =>
  run_thread === null && run_input?.followed === true;
