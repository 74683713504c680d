import { setTimeout as pause } from 'node:timers/promises';
import type { RobotRules } from '../domain/robots';

/** A run whose rules were dropped asks for them again. */
const MOST_PAUSED = 200;

/** Rules of sites whose runs are paused in this process: another one asks for them again. */
export class PausedRules {
  private readonly kept = new Map<string, RobotRules>();

  keep(job_id: string, rules: RobotRules): void {
    this.kept.set(job_id, rules);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_PAUSED) break;
      this.kept.delete(oldest);
    }
  }

  take(job_id: string): RobotRules | undefined {
    const rules = this.kept.get(job_id);
    this.kept.delete(job_id);
    return rules;
  }
}

/** Pages are read in the order in which they came: of two that are the same the first is taken. */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** Lets requests go one after the other with a pause between their beginnings. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private began = -Infinity;

  constructor(readonly pauseMs: number) {}

  /** How long it is until the next request may begin, of those that asked for a turn already; 0: at once. */
  get dueMs(): number {
    return Math.max(0, this.began + this.pauseMs - performance.now());
  }

  next(signal: AbortSignal): Promise<void> {
    const turn = this.last.then(() => {
      signal.throwIfAborted();
      this.began = performance.now();
    });
    this.last = turn.then(
      () => pause(this.pauseMs, undefined, { signal }).catch(() => undefined),
      () => undefined,
    );
    return turn;
  }
}
