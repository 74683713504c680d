import 'reflect-metadata';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Database } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { waitAtMost } from './within';
import { WorkerSettings } from './worker-settings';

const MIN_WAIT_MS = 100;

/** One run of work by the clock. */
export interface ScheduledRun {
  /** Aborted when the worker stops or another worker has the schedule. */
  readonly signal: AbortSignal;
}

interface ScheduleMark {
  readonly name: string;
  readonly everyMs: number;
  readonly method: string | symbol;
}

const MARKS = Symbol('atrium:schedules');

const schedulesOf = (target: object): readonly ScheduleMark[] =>
  (Reflect.getMetadata(MARKS, target) as readonly ScheduleMark[] | undefined) ?? [];

/**
 * Runs a method of a worker provider by the clock: in one worker at a time, `everyMs` after the run before ended. It
 * belongs to no workspace; it may be cut off at any point and is then run again, so it is idempotent.
 */
export const Every =
  (everyMs: number, name: string) =>
  <M extends (run: ScheduledRun) => Promise<unknown>>(
    target: object,
    method: string | symbol,
    _descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    Reflect.defineMetadata(MARKS, [...schedulesOf(target), { name, everyMs, method }], target);
  };

interface Schedule extends ScheduleMark {
  run(run: ScheduledRun): Promise<unknown>;
}

/** Keeps all schedules of the composed contexts: claims those that are due, through a lease, and runs them. */
@Injectable()
export class ScheduleHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ScheduleHost.name);
  private readonly holder = newId();
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private schedules: readonly Schedule[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly db: Database,
    private readonly settings: WorkerSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.schedules = this.collect();
    for (const schedule of this.schedules) this.plan(schedule, 0);
  }

  /** Runs a schedule now, due or not; for operators and tests. */
  async runNow(name: string): Promise<void> {
    const schedule = this.schedules.find((one) => one.name === name);
    if (!schedule) throw new Error(`Nothing is scheduled as ${name}.`);
    await schedule.run({ signal: this.stopping.signal });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearTimeout(timer);
    await waitAtMost(this.settings.graceMs, ...this.running);
  }

  private collect(): Schedule[] {
    const instances = new Set(
      this.discovery.getProviders().flatMap(({ instance }) => (instance && typeof instance === 'object' ? [instance as object] : [])),
    );
    const found = [...instances].flatMap((instance) =>
      schedulesOf(instance).map((mark) => ({ ...mark, run: (Reflect.get(instance, mark.method) as Schedule['run']).bind(instance) })),
    );
    const twice = found.find(({ name }, index) => found.findIndex((other) => other.name === name) !== index);
    if (twice) throw new Error(`Two methods are scheduled as ${twice.name}.`);
    return found;
  }

  private plan(schedule: Schedule, afterMs: number): void {
    if (this.stopping.signal.aborted) return;
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        const pass = this.pass(schedule)
          .then((wait) => this.plan(schedule, wait))
          .finally(() => this.running.delete(pass));
        this.running.add(pass);
      },
      Math.max(afterMs, MIN_WAIT_MS),
    ).unref();
    this.timers.add(timer);
  }

  /** Runs the schedule if it is due and free; in how many milliseconds to check again. Never rejects. */
  private async pass(schedule: Schedule): Promise<number> {
    try {
      const [claim] = await this.db.queryAcrossTenants<{ claimed: boolean; wait_ms: number }>('SELECT * FROM schedule_claim($1, $2, $3)', [
        schedule.name,
        this.holder,
        this.settings.schedules.leaseMs,
      ]);
      if (!claim?.claimed)
        return Math.min(claim?.wait_ms ?? this.settings.schedules.retryMs, schedule.everyMs, this.settings.schedules.leaseMs);
      return await this.hold(schedule);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.log.warn({ msg: 'a schedule cannot be kept', schedule: schedule.name, err: error });
      return this.settings.schedules.retryMs;
    }
  }

  private async hold(schedule: Schedule): Promise<number> {
    const lost = new AbortController();
    const extending = setInterval(() => void this.extend(schedule, lost), this.settings.schedules.leaseMs / 3).unref();
    let failure: string | null = null;
    try {
      await schedule.run({ signal: AbortSignal.any([this.stopping.signal, lost.signal]) });
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      this.log.warn({ msg: 'a scheduled run failed', schedule: schedule.name, err: error });
    } finally {
      clearInterval(extending);
    }
    const next = failure === null ? schedule.everyMs : Math.min(schedule.everyMs, this.settings.schedules.retryMs);
    const ended = [schedule.name, this.holder, this.stopping.signal.aborted ? 0 : next, failure];
    await this.db.queryAcrossTenants('SELECT schedule_done($1, $2, $3, $4)', ended);
    return next;
  }

  private async extend(schedule: Schedule, lost: AbortController): Promise<void> {
    const [extended] = await this.db
      .queryAcrossTenants<{ kept: boolean }>('SELECT schedule_extend($1, $2, $3) AS kept', [
        schedule.name,
        this.holder,
        this.settings.schedules.leaseMs,
      ])
      .catch(() => [{ kept: true }]);
    if (!extended?.kept) lost.abort();
  }
}
