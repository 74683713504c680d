import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { SECOND } from '@atrium/platform/kernel';
import { JobRegistry, type HandledJob } from './job-registry';
import { JobRunner } from './job-runner';
import { JobWatch } from './job-watch';
import { openQueues } from './open-queues';
import { INTERRUPT_CHANNEL } from './outbox-bell';
import { OutboxRelay } from './outbox-relay';
import { OutboxRows } from './outbox-rows';
import type { Queues, QueueWorker } from './queue-backend';
import { QueueRegistration } from './queue-registration';
import { Signals, type Unsubscribe } from './signals';
import { slotsOf } from './slots';
import { waitAtMost } from './within';
import { WorkerSettings } from './worker-settings';

/** While the queue's server is unavailable every queue fails many times a second; it is logged this often. */
const LOG_TROUBLE_EVERY_MS = 10 * SECOND;

/** How long a queue has to let go of its connections. */
const LET_GO_MS = 2 * SECOND;
/**
 * The running part of a worker process: one queue worker a job definition, and a relay. It starts when all modules are
 * ready, and only if every job has its one handler. On shutdown it takes no further job, gives running ones the grace to
 * finish or to stop, and hands the rest back.
 */
@Injectable()
export class WorkerHost implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(WorkerHost.name);
  private queues: Queues | undefined;
  /** One for all work, and one for what persons wait for. */
  private relays: OutboxRelay[] = [];
  private workers: QueueWorker[] = [];
  private unsubscribe: Unsubscribe | undefined;
  private loggedTrouble = -Infinity;
  private unlogged = 0;

  constructor(
    private readonly registry: JobRegistry,
    private readonly runner: JobRunner,
    private readonly rows: OutboxRows,
    private readonly signals: Signals,
    private readonly settings: WorkerSettings,
    private readonly watch: JobWatch,
    private readonly registration: QueueRegistration,
  ) {}

  onModuleInit(): void {
    this.registry.collectHandlers();
  }

  async onApplicationBootstrap(): Promise<void> {
    const queues = await openQueues(this.settings.address, this.settings.timing);
    this.queues = queues;
    await queues.register(this.registry.names, this.registration);
    const { rows, registry, signals } = this;
    const crew = { workers: 1 };
    this.relays = [false, true].map(
      (onlyAwaited) =>
        new OutboxRelay({ rows, registry, queues, signals, concurrency: this.settings.concurrency, onlyAwaited, crew }, this.settings.pace),
    );
    this.unsubscribe = await signals.subscribe(INTERRUPT_CHANNEL, ({ tenant_id, key }) => {
      if (typeof tenant_id === 'string' && typeof key === 'string') this.runner.interruptWork({ tenant_id, key });
    });
    this.workers = registry.jobs.map((job) => this.work(queues, job));
    for (const relay of this.relays) await relay.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.runner.stopRuns(this.settings.graceMs);
    // A queue whose server is frozen never lets go of its jobs: their leases end by themselves.
    const graceMs = this.settings.graceMs + LET_GO_MS;
    await waitAtMost(
      graceMs,
      ...this.relays.map((relay) => relay.stop()),
      this.unsubscribe?.(),
      ...this.workers.map((worker) => worker.close()),
    );
    stopped();
    await waitAtMost(LET_GO_MS, this.queues?.close());
  }

  /** Jobs that had to be sent a second time because their queue had lost them. */
  get resent(): number {
    return this.relays.reduce((sum, { resent }) => sum + resent, 0);
  }

  private work(queues: Queues, job: HandledJob): QueueWorker {
    const { name, concurrency } = job.definition;
    return queues.work(name, {
      concurrency: slotsOf(concurrency ?? this.settings.concurrency),
      process: (received) => {
        for (const relay of this.relays) relay.notifyJobStarted(name);
        return this.watch
          .watchRun(name, received, (watched) => this.runner.runJob(job, watched))
          .finally(() => {
            for (const relay of this.relays) relay.jobEnded(name);
          });
      },
      onAbandoned: (envelope, reason) => {
        this.runner
          .resumeAbandoned(job, { envelope }, reason.message)
          .catch((error: unknown) => this.log.error({ msg: 'a failed job could not be recorded', job: name, err: error }));
      },
      onError: (error) => this.trouble(name, error),
    });
  }

  private trouble(job: string, error: Error): void {
    const now = performance.now();
    if (now - this.loggedTrouble < LOG_TROUBLE_EVERY_MS) {
      this.unlogged += 1;
      return;
    }
    this.log.warn({ msg: 'queue trouble', job, unlogged_before: this.unlogged, err: error });
    this.loggedTrouble = now;
    this.unlogged = 0;
  }
}
