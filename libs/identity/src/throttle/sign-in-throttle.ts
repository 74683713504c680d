import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Lanes, Problem, SECOND } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { FailureCounters } from './failure-counters';
import { networkOf } from '@atrium/platform/access';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  CODE_LIMIT,
  NETWORK_KNOWN_MS,
  PAIR_LIMIT,
  PAUSES_REMEMBERED_MS,
  pauseMs,
  type FailureLimit,
} from './sign-in-limits';

const MAX_WAITING = 200;
const MAX_SHUT = 10_000;

/** Who tries to prove something, and from where. The account is named as the caller names it, whether it exists or not. */
export interface Attempter {
  readonly account: string;
  readonly address: string | undefined;
  /** When the password was set that is tried: whatever was known is known for that password alone. */
  readonly era?: string | null;
  /** Name of a device that has proven to have signed in before. */
  readonly device?: string | null;
}

interface Counters {
  /** Of the account from this network, or from this device. */
  readonly pair: string;
  readonly rounds: string;
  readonly account: string;
  readonly codes: string;
  readonly address: string;
  /** Set while the network is known to the account. */
  readonly known: string;
}

type Limited = readonly [name: string, limit: FailureLimit];

interface Line {
  readonly lane: Lanes;
  waiting: number;
}

/**
 * Slows down guessing and locks no one else out: devices and networks that signed in before have a budget of their
 * own, which no stranger elsewhere can spend. Attempts of one account from one place go one after the other, so that a crowd
 * of them at once is counted like the same number in turn.
 */
@Injectable()
export class SignInThrottle {
  private readonly lines = new Map<string, Line>();
  /** Networks that have guessed too many keys, as this process has learnt; each for as long as its failures are remembered. */
  private readonly shut = new LRUCache<string, true>({ max: MAX_SHUT });

  constructor(private readonly counters: FailureCounters) {}

  /** Runs a proof by password; null counts as a failure. Throws 429 instead of trying when there were too many. */
  async guardPassword<T>(attempter: Attempter, prove: () => Promise<T | null>): Promise<T | null> {
    const names = countersOf(attempter);
    const ofPair: Limited = [names.pair, PAIR_LIMIT];
    if (attempter.device || (await this.counters.readCounters([names.known])).has(names.known))
      return this.attempt(names, [ofPair], prove, () => this.countPair(names));
    return this.attempt(names, [ofPair, [names.account, ACCOUNT_LIMIT], [names.address, ADDRESS_LIMIT]], prove, () =>
      Promise.all([
        this.countPair(names),
        this.counters.incrementCounter(names.account, ACCOUNT_LIMIT.withinMs),
        this.counters.incrementCounter(names.address, ADDRESS_LIMIT.withinMs),
      ]),
    );
  }

  /** The same for a code, which only somebody tries who has the password; its own token ends after a few wrong ones. */
  guardCode<T>(attempter: Attempter, prove: () => Promise<T | null>): Promise<T | null> {
    const names = countersOf(attempter);
    return this.attempt(names, [[names.codes, CODE_LIMIT]], prove, () =>
      Promise.all([
        this.counters.incrementCounter(names.codes, CODE_LIMIT.withinMs),
        this.counters.incrementCounter(names.address, ADDRESS_LIMIT.withinMs),
      ]),
    );
  }

  /** Somebody has signed in there: what failed before is forgotten, and the network is known from now on. */
  async recordSignIn(attempter: Attempter): Promise<void> {
    const { pair, rounds, known } = countersOf(attempter);
    await Promise.all([
      this.counters.clearCounters([pair, rounds]),
      attempter.address === undefined ? undefined : this.counters.setCounter(known, 1, NETWORK_KNOWN_MS),
    ]);
  }

  /** The mailbox has answered: the account is open again to everybody, and known to be its person's from there. */
  async reopenAccount(attempter: Attempter): Promise<void> {
    const { account, codes } = countersOf(attempter);
    await this.counters.clearCounters([account, codes]);
    await this.recordSignIn(attempter);
  }

  /** Counts a failure of an address on no account, such as a key with a wrong secret. */
  async recordFailure(address: string): Promise<void> {
    const name = countersOf({ account: '', address }).address;
    const { count, waitMs } = await this.counters.incrementCounter(name, ADDRESS_LIMIT.withinMs);
    if (count >= ADDRESS_LIMIT.failures) this.shut.set(name, true, { ttl: Math.max(1, waitMs) });
  }

  /** What an address is answered that has failed too often already, without asking anybody; null while it may go on guessing. */
  findRefusal(address: string): Problem | null {
    const name = countersOf({ account: '', address }).address;
    return this.shut.has(name) ? tooMany(this.shut.getRemainingTTL(name)) : null;
  }

  private attempt<T>(
    names: Counters,
    limits: readonly Limited[],
    prove: () => Promise<T | null>,
    failed: () => Promise<unknown>,
  ): Promise<T | null> {
    return this.inTurn(names.pair, async () => {
      await this.assertOpen(limits);
      const proven = await prove();
      if (proven === null) await failed();
      return proven;
    });
  }

  private async assertOpen(limits: readonly Limited[]): Promise<void> {
    const counts = await this.counters.readCounters(limits.map(([name]) => name));
    const waits = limits.flatMap(([name, { failures }]) => {
      const known = counts.get(name);
      return known && known.count >= failures ? [known.waitMs] : [];
    });
    if (waits.length > 0) throw tooMany(Math.max(...waits));
  }

  /** The last failure that is put up with begins a pause, each longer than the one before. */
  private async countPair({ pair, rounds }: Counters): Promise<void> {
    const { count } = await this.counters.incrementCounter(pair, PAIR_LIMIT.withinMs);
    if (count < PAIR_LIMIT.failures) return;
    const round = await this.counters.incrementCounter(rounds, PAUSES_REMEMBERED_MS);
    await this.counters.setCounter(pair, count, pauseMs(round.count));
  }

  private async inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(name) ?? { lane: new Lanes(1, MAX_WAITING), waiting: 0 };
    this.lines.set(name, line);
    line.waiting++;
    try {
      return await line.lane.runInLane(work);
    } finally {
      if (--line.waiting === 0) this.lines.delete(name);
    }
  }
}

function countersOf({ account, address = '', era, device }: Attempter): Counters {
  const network = networkOf(address);
  const pair = digest(device ? `${account} device ${device}` : `${account} ${network}`);
  return {
    pair: `pair:${pair}`,
    rounds: `rounds:${pair}`,
    account: `account:${digest(account)}`,
    codes: `codes:${digest(account)}`,
    address: `address:${digest(network)}`,
    known: `known:${digest(`${account} ${network} ${era ?? ''}`)}`,
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const tooMany = (waitMs: number): Problem =>
  new Problem('rate_limited', 'Too many failed sign-ins. Wait before the next attempt, or request a new password by mail.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / SECOND))) },
  });
