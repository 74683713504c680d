import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { describeWorkWith, type WorkAtHand } from './work-at-hand';

/** What the thread beside the event loop is given. */
export interface WatchdogOrder {
  /** One counter, which the event loop increases. */
  readonly ticks: SharedArrayBuffer;
  readonly service: string;
  /** Where strikes are written; empty for none. */
  readonly databaseUrl: string;
  /** A loop that is blocked for so long is reported. */
  readonly reportMs: number;
  /** A loop that is blocked for so long has its process ended. */
  readonly endMs: number;
}

export type WatchdogOptions = Omit<WatchdogOrder, 'ticks'> & {
  /** Whose code runs; asked in the middle of it. */
  readonly describe: () => WorkAtHand | null;
};

const TICK_MS = 100;
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
  private readonly ticks = new SharedArrayBuffer(4);
  private readonly delay = monitorEventLoopDelay({ resolution: 20 });
  private thread: Worker | undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private slowSeconds = 0;

  /** Begins to measure, and to watch where the process may be ended: in hosts, not in tests and commands. */
  start({ describe, ...order }: WatchdogOptions): void {
    describeWorkWith(describe);
    this.measure();
    const counter = new Int32Array(this.ticks);
    this.timers.push(setInterval(() => Atomics.add(counter, 0, 1), TICK_MS).unref());
    this.thread = new Worker(threadScript(), { workerData: { ...order, ticks: this.ticks } satisfies WatchdogOrder, stdin: false });
    this.thread.on('error', () => undefined);
    this.thread.unref();
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
  note(nanoseconds: number): void {
    this.slowSeconds = nanoseconds > LAGGING_NANOSECONDS ? this.slowSeconds + 1 : 0;
  }

  private measure(): void {
    this.delay.enable();
    this.timers.push(
      setInterval(() => {
        this.note(this.delay.percentile(95));
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
