import { Logger } from '@nestjs/common';
import { DAY, HOUR, MINUTE, SECOND } from '@atrium/platform/kernel';
import { Bell, STREAM_RETENTION_SECONDS } from './event-streams';
import { queueIdOf } from './job-envelope';
import type { JobRegistry } from './job-registry';
import { OUTBOX_CHANNEL } from './outbox-bell';
import { envelopeOf, type OutboxRow, type OutboxRows } from './outbox-rows';
import type { Queues } from './queue-backend';
import type { Signals, Unsubscribe } from './signals';

/** How a relay looks for work. */
export interface RelayPace {
  readonly batch: number;
  /** How long claimed rows are a relay's own; a dead relay's rows are free after that. */
  readonly leaseMs: number;
  /** How often it looks without having been woken. */
  readonly pollMs: number;
  /** A job sent so long ago and not done is looked for in the queue, and sent again when it is not there. */
  readonly lostAfterMs: number;
}

/** The pace that goes with jobs leased so long. */
export const paceOf = (leaseMs: number): RelayPace => ({ batch: 200, leaseMs: 2 * leaseMs, pollMs: SECOND, lostAfterMs: leaseMs });

export const RELAY_PACE: RelayPace = paceOf(15 * SECOND);

const KEEP_DONE_JOBS_SECONDS = (2 * DAY) / SECOND;
const TIDY_EVERY_MS = 5 * MINUTE;
const TIDY_ROWS = 10_000;
const LONGEST_PAUSE_MS = HOUR / 240;

/**
 * Moves jobs from the outbox to their queues and turns events into their subscribers' jobs. Any number of relays may
 * run: a row is one relay's at a time, and sending a job twice is sending it once. Nothing it forgets is lost: rows stay
 * open until their job is done.
 */
export class OutboxRelay {
  private readonly log = new Logger(OutboxRelay.name);
  private readonly stopping = new AbortController();
  private readonly bell = new Bell(this.stopping.signal);
  private unsubscribe: Unsubscribe | undefined;
  private running: Promise<void> | undefined;
  private nextCheck = 0;
  private nextTidy = 0;

  constructor(
    private readonly rows: OutboxRows,
    private readonly registry: JobRegistry,
    private readonly queues: Queues,
    private readonly signals: Signals,
    private readonly pace: RelayPace = RELAY_PACE,
  ) {}

  async start(): Promise<void> {
    this.unsubscribe = await this.signals.subscribe(OUTBOX_CHANNEL, () => this.bell.ring());
    this.running = this.loop();
  }

  /** Finishes the batch at hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.unsubscribe?.().catch(() => undefined);
    await this.running;
  }

  /** One look; whether there may be more to move: jobs of subscribers that it has written, or rows that it did not take. */
  async relay(): Promise<boolean> {
    const rows = await this.rows.claim(this.registry.names, this.pace.batch, this.pace.leaseMs / SECOND);
    const jobs = rows.filter((row) => row.ev_kind === 'job');
    const events = rows.filter((row) => row.ev_kind === 'event');
    await this.send(jobs);
    await this.rows.sent(jobs);
    const deliveries = events.flatMap((event) => this.registry.subscribersOf(event.ev_name, event.ev_payload).map(({ name }) => ({ event, subscriber: name })));
    if (events.length > 0) await this.rows.fanOut(events, deliveries);
    return deliveries.length > 0 || rows.length === this.pace.batch;
  }

  /** Sends jobs again that their queue does not know any more: it was flushed, or lost them in a failover. */
  async resendLost(): Promise<number> {
    const overdue = await this.rows.overdue(this.registry.names, this.pace.batch, this.pace.lostAfterMs / SECOND);
    const states = await Promise.all(overdue.map((row) => this.queues.stateOf(row.ev_name, queueIdOf(envelopeOf(row)))));
    const lost = overdue.filter((_row, i) => states[i] === 'unknown');
    await this.send(lost);
    await this.rows.sent(lost);
    if (lost.length > 0) this.log.warn({ msg: 'jobs were lost by the queue and sent again', count: lost.length });
    return lost.length;
  }

  private async loop(): Promise<void> {
    for (let failures = 0; !this.stopping.signal.aborted; ) {
      this.bell.reset();
      try {
        const isMore = await this.relay();
        await this.keepHouse();
        failures = 0;
        if (!isMore) await this.bell.rung(this.pace.pollMs);
      } catch (error) {
        failures += 1;
        this.log.error({ msg: 'the outbox could not be relayed', failures, err: error });
        await pause(Math.min(this.pace.pollMs * 2 ** Math.min(failures, 5), LONGEST_PAUSE_MS), this.stopping.signal);
      }
    }
  }

  private async keepHouse(): Promise<void> {
    const now = Date.now();
    if (now >= this.nextCheck) {
      this.nextCheck = now + this.pace.lostAfterMs / 3;
      while ((await this.resendLost()) === this.pace.batch && !this.stopping.signal.aborted);
    }
    if (now >= this.nextTidy) {
      this.nextTidy = now + TIDY_EVERY_MS;
      await this.rows.prune(KEEP_DONE_JOBS_SECONDS, TIDY_ROWS);
      await this.rows.trimStreams(STREAM_RETENTION_SECONDS, TIDY_ROWS);
    }
  }

  private async send(rows: readonly OutboxRow[]): Promise<void> {
    for (const queue of new Set(rows.map((row) => row.ev_name))) {
      const definition = this.registry.find(queue)?.definition;
      if (!definition) continue;
      const envelopes = rows.filter((row) => row.ev_name === queue).map(envelopeOf);
      await this.queues.send(
        queue,
        envelopes.map((envelope) => ({ id: queueIdOf(envelope), envelope, attempts: definition.attempts, backoffMs: definition.backoffMs })),
      );
    }
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => new Bell(signal).rung(milliseconds);
