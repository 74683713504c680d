import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '@atrium/platform/kernel';
import type { AskingTurn, CmsPace } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';

const TRIES = 6;
const LONGEST_MS = 32 * SECOND;
/** What a CMS may ask for at most. */
const LONGEST_ASKED_MS = 5 * MINUTE;
const SLOWED_MS = MINUTE;
/** Below this no run would end. */
const SLOWEST = 0.25;

/** Time and chance of a pace; tests give their own. */
export interface PaceClock {
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const REAL: PaceClock = {
  now: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
  random: Math.random,
};

export interface PaceLimits {
  /** Requests a second. */
  readonly rate: number;
  /** The first pause before another try; doubles with each. */
  readonly pauseMs?: number;
  readonly clock?: PaceClock;
}

/**
 * How fast a run may ask a CMS, and how patient it is: requests keep a distance, a 429 halves the rate for a minute, and what
 * may pass is tried six times in all.
 */
export class RunPace implements CmsPace {
  /** How often the CMS said that it was asked too fast. */
  limited = 0;
  private due = 0;
  private readonly slowedUntil: number[] = [];
  private readonly full: number;
  private readonly pauseMs: number;
  private readonly clock: PaceClock;

  constructor({ rate, pauseMs = SECOND, clock = REAL }: PaceLimits) {
    this.full = rate;
    this.pauseMs = pauseMs;
    this.clock = clock;
  }

  /** Requests a second at this moment. */
  get rate(): number {
    const now = this.clock.now();
    while ((this.slowedUntil[0] ?? Infinity) <= now) this.slowedUntil.shift();
    return Math.max(Math.min(SLOWEST, this.full), this.full / 2 ** this.slowedUntil.length);
  }

  /** What the question answers, in its turn; asked again while it may pass. */
  async askInTurn<T>(question: () => Promise<T>, { signal, once = false }: AskingTurn): Promise<T> {
    for (let tried = 1; ; tried++) {
      await this.awaitTurn(signal);
      try {
        return await question();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof CmsProblem) || !error.mayPass) throw error;
        if (error.reason === 'rate_limited') this.slowDown();
        if (once || tried >= TRIES) throw error;
        await this.clock.pause(this.pauseOf(error, tried), signal);
      }
    }
  }

  private async awaitTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = this.clock.now();
    const turn = Math.max(now, this.due);
    this.due = turn + SECOND / this.rate;
    if (turn > now) await this.clock.pause(turn - now, signal);
  }

  /** Several that come at once are answers to requests of one moment, and slow down once. */
  private slowDown(): void {
    this.limited += 1;
    const now = this.clock.now();
    const last = this.slowedUntil.at(-1);
    if (last === undefined || last - SLOWED_MS + SECOND < now) this.slowedUntil.push(now + SLOWED_MS);
  }

  private pauseOf({ retryAfter }: CmsProblem, tried: number): number {
    if (retryAfter !== undefined) return Math.min(retryAfter * SECOND, LONGEST_ASKED_MS);
    const most = Math.min(this.pauseMs * 2 ** (tried - 1), LONGEST_MS);
    return most / 2 + (this.clock.random() * most) / 2;
  }
}
