import { existsSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DEBUGGED, TICKS, type WatchdogOrder } from './watchdog-order';
import { describeWorkWith, type WorkAtHand } from './work-at-hand';

export type WatchdogOptions = Omit<WatchdogOrder, 'counters'> & {
  /** Whose code runs; asked in the middle of it. */
  readonly describe: () => WorkAtHand | null;
};

export type WatchdogThread = Pick<Worker, 'on' | 'unref' | 'terminate'>;

const TICK_MS = 100;
/** After which a watchdog that has failed is started again. */
const RESTART_MS = 60_000;
const MEASURE_MS = 1_000;
const LAGGING_NANOSECONDS = 250e6;
/** So many seconds in a row are a state, fewer are a moment. */
const LAGGING_SECONDS = 3;

/**
 * Whether the event loop of this process keeps up. A loop that lags for seconds makes the host refuse heavy work and say that it is
 * not ready; one that is blocked is reported and then ended by a thread beside it, for its supervisor to start it again (ADR 42).
 */
@Injectable()
export class LoopWatch implements OnApplicationShutdown {
  private readonly log = new Logger(LoopWatch.name);
  private readonly counters = new SharedArrayBuffer(8);
  private readonly delay = monitorEventLoopDelay({ resolution: 20 });
  private thread: WatchdogThread | undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private slowSeconds = 0;

  /** Begins to measure, and to watch where the process may be ended: in hosts, not in tests and commands. */
  start({ describe, ...order }: WatchdogOptions): void {
    describeWorkWith(describe);
    this.measure();
    const counters = new Int32Array(this.counters);
    this.timers.push(
      setInterval(() => {
        Atomics.store(counters, DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
        Atomics.add(counters, TICKS, 1);
      }, TICK_MS).unref(),
    );
    this.watch({ ...order, counters: this.counters });
  }

  /** Whether answers take much longer than they should, and have for some seconds. */
  get isLagging(): boolean {
    return this.slowSeconds >= LAGGING_SECONDS;
  }

  async onApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.delay.disable();
    await this.thread?.terminate();
  }

  /** A second in which the loop took longer than it should for one turn in twenty. */
  recordSlowSecond(nanoseconds: number): void {
    this.slowSeconds = nanoseconds > LAGGING_NANOSECONDS ? this.slowSeconds + 1 : 0;
  }

  /** The thread beside the event loop. */
  protected openThread(order: WatchdogOrder): WatchdogThread {
    return new Worker(threadScript(), { workerData: order, stdin: false });
  }

  private watch(order: WatchdogOrder): void {
    this.thread = this.openThread(order);
    this.thread.on('error', (err) => {
      this.log.error({
        msg: 'the watchdog has failed: until it is started again nobody ends a blocked event loop',
        restart_ms: RESTART_MS,
        err,
      });
      this.timers.push(setTimeout(() => this.watch(order), RESTART_MS).unref());
    });
    this.thread.unref();
  }

  private measure(): void {
    this.delay.enable();
    this.timers.push(
      setInterval(() => {
        this.recordSlowSecond(this.delay.percentile(95));
        this.delay.reset();
      }, MEASURE_MS).unref(),
    );
  }
}

/** Compiled beside this file; from sources in the processes of specs. */
function threadScript(): string {
  const compiled = join(__dirname, 'watchdog-thread.js');
  return existsSync(compiled) ? compiled : join(__dirname, 'watchdog-thread.ts');
}
