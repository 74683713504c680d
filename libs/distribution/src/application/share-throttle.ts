import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { FailureCounters } from '@atrium/identity';
import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';

const WITHIN_MS = 15 * MINUTE;
/** Failures of one link from one address. */
const OF_PAIR = 5;
/** Failures of one link from anywhere. */
const OF_LINK = 50;

/**
 * Slows down whoever guesses the password of a link. A try from an address is counted before it is made, so that a crowd
 * of them at once gets no further than the same number in turn; the right password forgets them.
 */
@Injectable()
export class ShareThrottle {
  constructor(private readonly counters: FailureCounters) {}

  /** Runs a proof; false counts as a failure. Throws 429 instead of trying when there were too many. */
  async guard(share_id: string, address: string, prove: () => Promise<boolean>): Promise<boolean> {
    const link = `share:${share_id}`;
    const pair = `share-pair:${createHash('sha256').update(`${share_id} ${address}`).digest('base64url')}`;
    const known = (await this.counters.read([link])).get(link);
    if (known && known.count >= OF_LINK) throw tooMany(known.waitMs);
    const { count, waitMs } = await this.counters.add(pair, WITHIN_MS);
    if (count > OF_PAIR) throw tooMany(waitMs);
    const proven = await prove();
    if (proven) await this.counters.forget([pair]);
    else await this.counters.add(link, WITHIN_MS);
    return proven;
  }
}

const tooMany = (waitMs: number): Problem =>
  new Problem('rate_limited', 'Too many wrong passwords; wait before the next try.', { headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / SECOND))) } });
