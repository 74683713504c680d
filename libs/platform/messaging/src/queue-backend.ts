import type { BackendClasses, IQueueBackend, Job, JobState, Queue, QueueOptions } from 'bullmq';
import { SECOND } from '@atrium/platform/kernel';
import type { JobEnvelope } from './job-envelope';
import { PermanentFailure } from './job-handling';
import type { QueueRegistration } from './queue-registration';

/** The two clocks of recovery: how long a silent worker keeps a job, and how often others look for such jobs. */
export interface QueueTiming {
  readonly lockMs: number;
  readonly stalledCheckMs: number;
}

/** Both follow from how long a job is leased; the queue takes whole milliseconds alone. */
export const timingOf = (leaseMs: number): QueueTiming => ({ lockMs: Math.ceil(leaseMs), stalledCheckMs: Math.ceil(leaseMs / 3) });

export const QUEUE_TIMING: QueueTiming = timingOf(15 * SECOND);

/** A job to be sent to its queue. */
export interface QueueMessage {
  readonly id: string;
  readonly envelope: JobEnvelope;
  readonly attempts: number;
  readonly backoffMs: number;
  /** From 1: the smaller goes first, whenever it comes. */
  readonly place: number;
}

/** A job as the queue hands it to a worker; `signal` is aborted when the queue takes it back. */
export interface ReceivedJob {
  readonly envelope: JobEnvelope;
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** False when the queue has handed it to a worker before. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
  heartbeat(): Promise<void>;
  /** Puts it back to the waiting ones; does not count as an attempt. Returns what the processor has to throw. */
  returnToQueue(): Promise<Error>;
}

export interface QueueWorkerOptions {
  readonly concurrency: number;
  process(job: ReceivedJob): Promise<void>;
  /** The queue itself gave the job up: too many workers ended while they had it. */
  onAbandoned(envelope: JobEnvelope, reason: Error): void;
  onError(error: Error): void;
}

/** A running worker; closing waits for the jobs it has. */
export interface QueueWorker {
  close(): Promise<void>;
}

type BackedQueue<B extends IQueueBackend, C> = Queue<JobEnvelope, void, string, JobEnvelope, void, string, B, C>;

/** What differs between the backends: the classes, their connections and their key prefix. */
export interface BullConnections<B extends IQueueBackend, C> {
  readonly classes: BackendClasses<B, C>;
  readonly forQueues: C;
  readonly forWorkers: C;
  readonly drainDelaySeconds: number;
  prefixOf(queue: string): string | undefined;
  /** Sends the server the smallest possible request. */
  check(): Promise<unknown>;
  /** Replaces a connection that failed although it seems to be open. */
  renew(): void;
  close(): Promise<void>;
}

/** Workers that may end while they have a job, until it pauses. */
const MAX_STALLS = 2;
const JITTER = 0.5;
/** The queue knows no larger priority. */
const LAST_PLACE = 2_000_000;

/** The queues, on either backend: send, query, work. */
export interface Queues {
  /** Has the application own the queues of these jobs. Queues that are not registered are opened when first used. */
  register(names: readonly string[], registration: QueueRegistration): Promise<void>;
  /** Sends to one queue; a job the queue knows already is not sent twice. */
  send(queue: string, messages: readonly QueueMessage[]): Promise<void>;
  stateOf(queue: string, id: string): Promise<JobState | 'unknown'>;
  /** How many jobs a worker could begin at once. */
  waiting(queue: string): Promise<number>;
  /** How many jobs wait, run and are delayed. */
  counts(queue: string): Promise<Readonly<Record<string, number>>>;
  work(queue: string, options: QueueWorkerOptions): QueueWorker;
  /** Sends by another connection from now on: the one at hand has failed. */
  renew(): void;
  /** Rejects when the queue's server cannot be used. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * BullMQ over either backend. A finished job leaves the queue at once: its outcome is in the outbox row, and its
 * id is free for the next job with the same key.
 */
export class BullQueues<B extends IQueueBackend, C> implements Queues {
  private readonly queues = new Map<string, BackedQueue<B, C>>();

  constructor(
    private readonly bull: BullConnections<B, C>,
    private readonly errors: {
      readonly UnrecoverableError: new (message?: string) => Error;
      readonly WaitingError: new (message?: string) => Error;
    },
    private readonly timing: QueueTiming,
  ) {}

  async register(names: readonly string[], registration: QueueRegistration): Promise<void> {
    const { classes, forQueues } = this.bull;
    const registered = await registration.register({
      queueClass: classes.Queue<JobEnvelope, void>,
      queues: names.map((name) => ({ name, connection: forQueues as QueueOptions['connection'], prefix: this.bull.prefixOf(name) })),
    });
    for (const queue of registered) this.keep(queue);
  }

  /** One by one (both drivers pipeline): on PostgreSQL, adding in bulk creates tables, which the service's role may not. */
  async send(queue: string, messages: readonly QueueMessage[]): Promise<void> {
    const target = this.queue(queue);
    await Promise.all(
      messages.map(({ id, envelope, attempts, backoffMs, place }) =>
        target.add(queue, envelope, {
          jobId: id,
          attempts,
          priority: Math.min(place, LAST_PLACE),
          backoff: { type: 'exponential', delay: backoffMs, jitter: JITTER },
          removeOnComplete: true,
          removeOnFail: true,
          stackTraceLimit: 1,
        }),
      ),
    );
  }

  stateOf(queue: string, id: string): Promise<JobState | 'unknown'> {
    return this.queue(queue).getJobState(id);
  }

  async waiting(queue: string): Promise<number> {
    const { waiting = 0, prioritized = 0 } = await this.queue(queue).getJobCounts('waiting', 'prioritized');
    return waiting + prioritized;
  }

  async counts(queue: string): Promise<Readonly<Record<string, number>>> {
    const {
      waiting = 0,
      prioritized = 0,
      active = 0,
      delayed = 0,
    } = await this.queue(queue).getJobCounts('waiting', 'prioritized', 'active', 'delayed');
    return { waiting: waiting + prioritized, active, delayed };
  }

  work(queue: string, options: QueueWorkerOptions): QueueWorker {
    const worker = new this.bull.classes.Worker<JobEnvelope, void>(
      queue,
      (job, token, signal) => this.receive(job, token ?? '', signal, options),
      {
        connection: this.bull.forWorkers,
        prefix: this.bull.prefixOf(queue),
        concurrency: options.concurrency,
        lockDuration: this.timing.lockMs,
        stalledInterval: this.timing.stalledCheckMs,
        maxStalledCount: MAX_STALLS,
        drainDelay: this.bull.drainDelaySeconds,
        runRetryDelay: SECOND,
      },
    );
    worker.on('error', (error) => options.onError(error));
    worker.on('failed', (job, error) => {
      if (job?.deferredFailure) options.onAbandoned(job.data, error);
    });
    return { close: () => worker.close() };
  }

  renew(): void {
    this.bull.renew();
  }

  async check(): Promise<void> {
    await this.bull.check();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    await this.bull.close();
  }

  private async receive(
    job: Job<JobEnvelope, void>,
    token: string,
    signal: AbortSignal | undefined,
    options: QueueWorkerOptions,
  ): Promise<void> {
    const attempt = (job.data.attempts ?? 0) + job.attemptsMade + 1;
    const received: ReceivedJob = {
      envelope: job.data,
      attempt,
      lastAttempt: attempt >= (job.opts.attempts ?? 1),
      isFirst: job.attemptsStarted <= 1 && job.stalledCounter === 0,
      signal: signal ?? new AbortController().signal,
      heartbeat: async () => {
        if ((await job.extendLock(token, this.timing.lockMs)) !== 1) throw new Error('Another worker has the job.');
      },
      returnToQueue: async () => {
        await job.moveToWait(token);
        return new this.errors.WaitingError();
      },
    };
    // The library renews one lock for an id in a process, and stops when any run of it ends. After the queue has lost its jobs an
    // overtaken run may end beside its follower, whose lock would lapse.
    const renewing = setInterval(() => void received.heartbeat().catch(() => undefined), this.timing.lockMs / 2).unref();
    try {
      await options.process(received);
    } catch (error) {
      throw error instanceof PermanentFailure ? new this.errors.UnrecoverableError(error.message) : error;
    } finally {
      clearInterval(renewing);
    }
  }

  private queue(name: string): BackedQueue<B, C> {
    const { classes, forQueues } = this.bull;
    return (
      this.queues.get(name) ??
      this.keep(new classes.Queue<JobEnvelope, void>(name, { connection: forQueues, prefix: this.bull.prefixOf(name) }))
    );
  }

  private keep(queue: BackedQueue<B, C>): BackedQueue<B, C> {
    queue.on('error', () => undefined);
    this.queues.set(queue.name, queue);
    return queue;
  }
}
