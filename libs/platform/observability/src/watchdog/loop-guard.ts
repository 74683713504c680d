import type { Caught } from './main-thread';
import type { WatchdogOrder } from './watchdog-order';
import type { WorkAtHand } from './work-at-hand';

export const LOOK_MS = 100;
/** What a loop must have used of the time by itself before it is to blame; one that has used less waits for a processor, at most so many times as long. */
const LEAST_SHARE = 1 / 4;
const PATIENCE = 6;

/** What a guard sees of the event loop, and what it can do. */
export interface GuardedLoop {
  /** How often it has turned; 0 before it did at all. */
  ticks(): number;
  /** Processor time that its process has used, in milliseconds. */
  spentMs(): number;
  /** Whether a debugger may have stopped it. */
  isDebugged(): boolean;
  /** The code that runs at this moment. */
  catchRunning(): Promise<Caught | undefined>;
  /** Writes a strike down; how many this work has by now, null where it cannot be written. */
  recordStrike(work: WorkAtHand): Promise<number | null>;
  log(level: 'warn' | 'error' | 'fatal', facts: object): void;
  /** Ends the process. */
  endProcess(): Promise<void>;
}

/**
 * Looks at an event loop again and again. It counts its own looks between which the loop has not turned, so that a process that was
 * stopped as a whole, or a machine that slept, is not taken for a blocked loop. One at a breakpoint is reported and left alone, and
 * so is one that turned while its strike was written. On a machine that has too much to do, the work at hand is not to blame: a process that
 * hardly got a processor is waited for.
 */
export class LoopGuard {
  private last: number;
  private still = 0;
  private spent: number;
  private caught: Caught | undefined;

  constructor(
    private readonly order: Pick<WatchdogOrder, 'reportMs' | 'endMs'>,
    private readonly loop: GuardedLoop,
  ) {
    this.last = loop.ticks();
    this.spent = loop.spentMs();
  }

  /** One look, `LOOK_MS` after the one before. */
  async checkLoop(): Promise<void> {
    const { reportMs, endMs } = this.order;
    if (this.hasTurned()) return;
    // It counts from the first turn: while a host loads its modules nothing turns.
    if (this.last === 0) return;
    this.still += LOOK_MS;
    if (this.isDue(reportMs)) await this.report();
    if (endMs !== 0 && this.still >= endMs && this.isItself(endMs) && !this.loop.isDebugged()) await this.end();
  }

  private async report(): Promise<void> {
    if (this.loop.isDebugged()) {
      // A look into the main thread would let it go on from its breakpoint.
      this.loop.log('warn', {
        msg: 'the event loop is blocked while a debugger may be attached: the process is not ended',
        blocked_ms: this.still,
      });
      return;
    }
    this.caught = await this.loop.catchRunning();
    this.loop.log('error', { msg: 'the event loop is blocked', blocked_ms: this.still, ...factsOf(this.caught) });
  }

  private async end(): Promise<void> {
    const caught = (await this.loop.catchRunning()) ?? this.caught;
    if (this.hasTurned()) return;
    const blocked_ms = this.still;
    const strikes = caught?.work ? await this.loop.recordStrike(caught.work) : null;
    const facts = { blocked_ms, strikes, ...factsOf(caught) };
    if (this.hasTurned()) return this.loop.log('error', { msg: 'the event loop was blocked for too long and has turned again', ...facts });
    this.loop.log('fatal', { msg: 'the event loop was blocked for too long: the process ends', ...facts });
    await this.loop.endProcess();
  }

  private hasTurned(): boolean {
    const now = this.loop.ticks();
    if (now === this.last) return false;
    [this.last, this.still, this.spent, this.caught] = [now, 0, this.loop.spentMs(), undefined];
    return true;
  }

  private isItself(endMs: number): boolean {
    return this.loop.spentMs() - this.spent >= endMs * LEAST_SHARE || this.still >= endMs * PATIENCE;
  }

  private isDue(ms: number): boolean {
    return this.still >= ms && this.still - LOOK_MS < ms;
  }
}

function factsOf(caught: Caught | undefined): object {
  const { work, stack } = caught ?? { work: null, stack: ['(native code)'] };
  return {
    operation: work?.operation ?? null,
    tenant_id: work?.tenant_id ?? null,
    request_id: work?.request_id ?? null,
    job_id: work?.kind === 'job' ? work.id : undefined,
    stack,
  };
}
