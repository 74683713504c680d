import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, type Clock } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import type { SiteCrawlState } from './site-crawl-state';

/** A run whose manners were dropped asks for them again. */
const MOST_PAUSED = 200;
const MOST_PAUSED_CHARACTERS = 4 * 1024 * 1024;
/** A run whose pages all have to wait for so long has nothing to wait for. */
const NO_PROGRESS_MS = 30 * MINUTE;

/** How long no page has come: while the run was at work and in the pauses that it took, not while it waited for a worker. */
export class IdleTime {
  private since: number;

  constructor(
    private readonly clock: Clock,
    beforeMs: number,
  ) {
    this.since = this.now() - beforeMs;
  }

  get ms(): number {
    return this.now() - this.since;
  }

  get isTooLong(): boolean {
    return this.ms > NO_PROGRESS_MS;
  }

  /** A page has come. */
  resetIdle(): void {
    this.since = this.now();
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** What paused runs of this process have learned of their sites: another process asks again. That of the run that paused first is dropped first. */
export class PausedSiteStates {
  private readonly kept = new LRUCache<string, SiteCrawlState>({
    max: MOST_PAUSED,
    maxSize: MOST_PAUSED_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + 1,
  });

  storeSiteState(job_id: string, siteState: SiteCrawlState): void {
    this.kept.set(job_id, siteState);
  }

  takeSiteState(job_id: string): SiteCrawlState | undefined {
    const siteState = this.kept.get(job_id);
    this.kept.delete(job_id);
    return siteState;
  }
}

/** Pages are read in the order in which they came: of two that are the same the first is taken. */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  runInTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** Lets requests go one after the other with a pause between their beginnings. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private began = -Infinity;

  constructor(public pauseMs: number) {}

  /** How long it is until the next request may begin, of those that asked for a turn already; 0: at once. */
  get dueMs(): number {
    return Math.max(0, this.began + this.pauseMs - performance.now());
  }

  awaitTurn(signal: AbortSignal): Promise<void> {
    const turn = this.last.then(async () => {
      // Counted from the last request of any part: a part of the run that has ended is owed its pause as well.
      await pause(this.dueMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      this.began = performance.now();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
