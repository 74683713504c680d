import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { FailureCounters } from '@atrium/identity';
import { neighbourhoodOf, networkOf } from '@atrium/platform/access';
import { DAY, MINUTE, Problem, SECOND } from '@atrium/platform/kernel';

const WITHIN_MS = 15 * MINUTE;
/** Failures of one link from one network. */
const OF_PAIR = 5;
/** Failures of one link from all networks together that never opened it. */
const OF_LINK = 50;
/** How long a network is known to a link after a guest gave the password there. */
const KNOWN_MS = 21 * DAY;

/**
 * Slows down guessing of a link's password, and locks no guest out. A try is counted before it is made, so that a
 * crowd of them at once gets no further than the same number in turn; the right password forgets them. While strangers guess
 * from many networks, those that opened the link before go on as ever, and every other neighbourhood has one try at a time.
 */
@Injectable()
export class ShareThrottle {
  constructor(private readonly counters: FailureCounters) {}

  /** Runs a proof; false counts as a failure. Throws 429 instead of trying when there were too many. */
  async guardProof(share_id: string, address: string, prove: () => Promise<boolean>): Promise<boolean> {
    const link = `share:${share_id}`;
    const [pair, known] = ['share-pair', 'share-known'].map((kind) => `${kind}:${digest(`${share_id} ${networkOf(address)}`)}`) as [
      string,
      string,
    ];
    const lone = `share-lone:${digest(`${share_id} ${neighbourhoodOf(address)}`)}`;
    const counts = await this.counters.readCounters([link, known]);
    const isBesieged = !counts.has(known) && (counts.get(link)?.count ?? 0) >= OF_LINK;
    await this.count(pair, OF_PAIR);
    if (isBesieged) await this.count(lone, 1);
    const proven = await prove();
    if (proven) await Promise.all([this.counters.clearCounters([pair, lone]), this.counters.setCounter(known, 1, KNOWN_MS)]);
    else if (!counts.has(known)) await this.counters.incrementCounter(link, WITHIN_MS);
    return proven;
  }

  private async count(name: string, most: number): Promise<void> {
    const { count, waitMs } = await this.counters.incrementCounter(name, WITHIN_MS);
    if (count > most) throw tooMany(waitMs);
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const tooMany = (waitMs: number): Problem =>
  new Problem('rate_limited', 'Too many wrong passwords. Wait before the next attempt.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / SECOND))) },
  });
