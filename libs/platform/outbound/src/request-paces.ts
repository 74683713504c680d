import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock, MINUTE, SECOND } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';

/** How often one service may be asked with one credential. */
export interface RequestPace {
  /** Names service and credential; never contains the credential itself. */
  readonly key: string;
  readonly perSecond: number;
}

/** Services and credentials whose pace one process remembers. */
const MOST_KEYS = 10_000;
const SLOW_MS = MINUTE;
/** What a service may ask for at most. */
const LONGEST_MS = 5 * MINUTE;

interface Turns {
  /** When the next request may be sent, in milliseconds. */
  next: number;
  slowUntil: number;
}

/**
 * The pace at which services are asked, by service and credential: requests of one key are sent in turn, at equal distances, by all
 * that this process runs. A 429 halves the pace for a minute, and all requests of the key wait as long as the service asks for.
 */
@Injectable()
export class RequestPaces {
  private readonly turns = new LRUCache<string, Turns>({ max: MOST_KEYS });

  constructor(private readonly clock: Clock) {}

  /** Waits until the next request may be sent. A turn that is aborted is not given to others. */
  async awaitTurn({ key, perSecond }: RequestPace, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = this.clock.now().getTime();
    const turns = this.turnsOf(key);
    const at = Math.max(now, turns.next);
    turns.next = at + (SECOND / perSecond) * (at < turns.slowUntil ? 2 : 1);
    if (at > now) await this.pauseFor(at - now, signal);
  }

  /** Reports a 429 of the service: half the pace for a minute, after the pause that it asks for. */
  slowDown(key: string, retryAfterSeconds = 0): void {
    const now = this.clock.now().getTime();
    const turns = this.turnsOf(key);
    turns.slowUntil = now + SLOW_MS;
    turns.next = Math.max(turns.next, now + Math.min(retryAfterSeconds * SECOND, LONGEST_MS));
  }

  protected async pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
    await pause(milliseconds, undefined, { signal });
  }

  private turnsOf(key: string): Turns {
    const known = this.turns.get(key);
    if (known) return known;
    const turns = { next: 0, slowUntil: 0 };
    this.turns.set(key, turns);
    return turns;
  }
}
