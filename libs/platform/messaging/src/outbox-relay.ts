import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DAY, HOUR, MINUTE, newId, SECOND } from '@atrium/platform/kernel';
import { asAwaited } from '@atrium/platform/database';
import { Bell } from './bell';
import { FENCE_RETENTION_SECONDS, STREAM_RETENTION_SECONDS } from './stream-event';
import { queueIdOf } from './job-envelope';
import type { JobRegistry } from './job-registry';
import { OUTBOX_CHANNEL } from './outbox-bell';
import { envelopeOf, type AdmittedJob, type OutboxRow, type OutboxRows } from './outbox-rows';
import type { Queues } from './queue-backend';
import type { Signals, Unsubscribe } from './signals';
import { shareOf } from './slots';

/** How a relay looks for work. */
export interface RelayPace {
  readonly batch: number;
  /** How long claimed rows are a relay's own; the rows of a killed relay are free after that. */
  readonly leaseMs: number;
  /** How often it polls without having been woken. */
  readonly pollMs: number;
  /** A job that was sent this long ago and is not done is looked up in the queue, and sent again if it is not there. */
  readonly lostAfterMs: number;
}

/** The pace that goes with jobs leased so long. */
export const paceOf = (leaseMs: number): RelayPace => ({ batch: 200, leaseMs: 2 * leaseMs, pollMs: SECOND, lostAfterMs: leaseMs });

export const RELAY_PACE: RelayPace = paceOf(15 * SECOND);

const KEEP_DONE_JOBS_SECONDS = (2 * DAY) / SECOND;
const TIDY_EVERY_MS = 5 * MINUTE;
const TIDY_ROWS = 10_000;
/** What this one did not hear of, the relay for all work finds. */
const RARELY_MS = MINUTE;
const LONGEST_PAUSE_MS = HOUR / 240;
/** Jobs that wait in a queue beyond two a runner, so that one runner has its next job ready as well. */
const AT_HAND = 2;

/** Whom a relay works with. */
export interface RelayParts {
  readonly rows: OutboxRows;
  readonly registry: JobRegistry;
  readonly queues: Queues;
  readonly signals: Signals;
  /** Jobs of one queue that this process runs at once, unless their definition says otherwise. */
  readonly concurrency: number;
  /** Jobs that a person waits for, and nothing else: of a relay beside the one for all work, which they need not wait for then. */
  readonly onlyAwaited?: boolean;
  /** Worker processes there are, as the relay for all work counts them: a workspace has its share of each. */
  readonly crew: { workers: number };
}

/**
 * Moves jobs from the outbox to their queues, in turn between workspaces, and turns events into their subscribers' jobs.
 * The queue holds no more than the workers are about to begin; the rest waits here, where a newcomer can still be moved ahead.
 * Any number of relays may run: a row is one relay's at a time, and sending a job twice is sending it once. Nothing is lost with
 * a relay: rows stay open until their job is done.
 */
export class OutboxRelay {
  private readonly log = new Logger(OutboxRelay.name);
  private readonly stopping = new AbortController();
  private readonly bell = new Bell(this.stopping.signal);
  /** Queues whose jobs wait in the outbox: for room, or for a job of their key to end. */
  private backlog = new Map<string, 'room' | 'key'>();
  private readonly taken = new Map<string, number>();
  private readonly worker_id = newId();
  private unsubscribe: Unsubscribe | undefined;
  private running: Promise<void> | undefined;
  private nextCheck = 0;
  private nextTidy = 0;
  private sentAgain = 0;

  constructor(
    private readonly parts: RelayParts,
    private readonly pace: RelayPace = RELAY_PACE,
  ) {}

  /** Jobs this relay had to send a second time, since it started. */
  get resent(): number {
    return this.sentAgain;
  }

  async start(): Promise<void> {
    const { signals, onlyAwaited } = this.parts;
    this.unsubscribe = await signals.subscribe(OUTBOX_CHANNEL, ({ awaited }) => {
      if (!onlyAwaited || awaited) this.bell.ring();
    });
    this.running = onlyAwaited ? asAwaited(() => this.loop()) : this.loop();
  }

  /** Finishes the batch at hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.unsubscribe?.().catch(() => undefined);
    await this.running;
    if (this.parts.onlyAwaited) return;
    await this.parts.rows.countWorkers(this.worker_id, 0).catch(() => undefined);
  }

  /** A worker of this process took a job from the queue: there is room for another. */
  notifyJobStarted(queue: string): void {
    const taken = (this.taken.get(queue) ?? 0) + 1;
    this.taken.set(queue, taken);
    if (this.backlog.get(queue) === 'room' && taken >= this.window(queue) / 2) this.bell.ring();
  }

  /** A worker of this process ended a job: those of its key may follow. */
  jobEnded(queue: string): void {
    if (this.backlog.get(queue) === 'key') this.bell.ring();
  }

  /** One poll; whether there may be more to move: jobs of subscribers that it has written, or rows that it did not take. */
  async relayBatch(): Promise<boolean> {
    const { rows, registry, onlyAwaited } = this.parts;
    if (onlyAwaited) return this.admit(await rows.findDueQueues(registry.awaited));
    const { events, due } = await rows.pollDue(registry.names, this.pace.batch, this.pace.leaseMs / SECOND);
    if (events.length === 0) return this.admit(due);
    await this.fanOut(events);
    // Jobs of subscribers are due now as well.
    return (await this.admit(await rows.findDueQueues(registry.names))) || events.length === this.pace.batch;
  }

  /** Sends jobs again that their queue does not know any more: it was flushed, or lost them in a failover. */
  async resendLost(): Promise<number> {
    const { rows, registry, queues } = this.parts;
    const overdue = await rows.findOverdueJobs(registry.names, this.pace.batch, this.pace.lostAfterMs / SECOND);
    const states = await Promise.all(overdue.map((row) => queues.stateOf(row.ev_name, queueIdOf(envelopeOf(row)))));
    // One that ended while it was looked for is in no queue either.
    const lost = await rows.filterOpen(overdue.filter((_row, i) => states[i] === 'unknown'));
    await rows.reclaimJobs(lost);
    await this.send(lost.map((row) => ({ ...row, ev_place: 1 })));
    await rows.markSent(lost);
    this.sentAgain += lost.length;
    if (lost.length > 0) this.log.warn({ msg: 'jobs were lost by the queue and sent again', count: lost.length });
    return lost.length;
  }

  private async loop(): Promise<void> {
    const { onlyAwaited } = this.parts;
    for (let failures = 0; !this.stopping.signal.aborted;) {
      this.bell.reset();
      try {
        const isMore = await this.relayBatch();
        if (!onlyAwaited) await this.keepHouse();
        failures = 0;
        if (!isMore) await this.bell.waitForRing(onlyAwaited ? RARELY_MS : this.pace.pollMs);
      } catch (error) {
        failures += 1;
        this.parts.queues.renew();
        this.log.error({ msg: 'the outbox could not be relayed', failures, err: error });
        await pause(Math.min(this.pace.pollMs * 2 ** Math.min(failures, 5), LONGEST_PAUSE_MS), this.stopping.signal);
      }
    }
  }

  private async fanOut(events: readonly OutboxRow[]): Promise<void> {
    const { rows, registry } = this.parts;
    const deliveries = events.flatMap((event) =>
      registry.listSubscribers(event.ev_name, event.ev_payload).map(({ name }) => ({ event, subscriber: name })),
    );
    await rows.fanOut(events, deliveries);
  }

  /** Fills the queues up from what is due; whether it moved any. */
  private async admit(due: readonly string[]): Promise<boolean> {
    const { rows, queues } = this.parts;
    this.taken.clear();
    if (due.length === 0) {
      this.backlog = new Map();
      return false;
    }
    const waiting = await Promise.all(due.map((queue) => queues.waiting(queue)));
    const rooms = due.map((queue, i) => ({
      queue,
      room: Math.max(0, this.window(queue) - (waiting[i] ?? 0)),
      share: shareOf(this.concurrencyOf(queue)) * this.parts.crew.workers,
    }));
    const admitted = await rows.admitJobs(rooms, this.pace.leaseMs / SECOND);
    this.backlog = new Map(
      rooms.map(({ queue, room }) => [queue, admitted.filter((row) => row.ev_name === queue).length < room ? 'key' : 'room']),
    );
    await this.send(admitted).catch(async (error: unknown) => {
      await rows.releaseJobs(admitted).catch(() => undefined);
      throw error;
    });
    await rows.markSent(admitted);
    return admitted.length > 0;
  }

  /** How many jobs may wait in the queue itself. */
  private window(queue: string): number {
    return 2 * this.concurrencyOf(queue) + AT_HAND;
  }

  private concurrencyOf(queue: string): number {
    return this.parts.registry.findJob(queue)?.definition.concurrency ?? this.parts.concurrency;
  }

  private async keepHouse(): Promise<void> {
    const { rows } = this.parts;
    const now = Date.now();
    if (now >= this.nextCheck) {
      this.nextCheck = now + this.pace.lostAfterMs / 3;
      this.parts.crew.workers = Math.max(1, await rows.countWorkers(this.worker_id, (2 * this.pace.lostAfterMs) / SECOND));
      while ((await this.resendLost()) === this.pace.batch && !this.stopping.signal.aborted);
    }
    if (now >= this.nextTidy) {
      this.nextTidy = now + TIDY_EVERY_MS;
      await rows.pruneSent(KEEP_DONE_JOBS_SECONDS, TIDY_ROWS);
      await rows.trimStreams(STREAM_RETENTION_SECONDS, TIDY_ROWS);
      await rows.trimFences(FENCE_RETENTION_SECONDS, TIDY_ROWS);
      await rows.forgetTurns(TIDY_ROWS);
    }
  }

  private async send(jobs: readonly AdmittedJob[]): Promise<void> {
    for (const queue of new Set(jobs.map((row) => row.ev_name))) {
      const definition = this.parts.registry.findJob(queue)?.definition;
      if (!definition) continue;
      await this.parts.queues.send(
        queue,
        jobs
          .filter((row) => row.ev_name === queue)
          .map((row) => ({ envelope: envelopeOf(row), place: row.ev_place }))
          .map(({ envelope, place }) => ({
            id: queueIdOf(envelope),
            envelope,
            attempts: definition.attempts,
            backoffMs: definition.backoffMs,
            place,
          })),
      );
    }
  }
}

/** Until the time is over or the signal is aborted; leaves nothing behind on the signal. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined);
