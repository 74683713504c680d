import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { apartFromRequest, MINUTE, SECOND } from '@atrium/platform/kernel';
import { RateCounters, type RateCount } from './rate-counters';
import type { RateLimitRows } from './rate-limits.rows';

const REPORT_EVERY_MS = SECOND;

/**
 * Counters in this process, shared through the database once a second: a statement a request would cost more than most
 * requests do. Between two exchanges the processes of an installation may together let pass what each lets pass in a
 * second; a single one is exact. Own code, because no library counts locally and shares counts in batches.
 */
export class SharedRateCounters extends RateCounters implements OnApplicationShutdown {
  private readonly log = new Logger(SharedRateCounters.name);
  private minute = 0;
  private counts = new Map<string, number>();
  private unreported = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private failing = false;

  constructor(private readonly shared: RateLimitRows) {
    super();
  }

  incrementCounters(keys: readonly string[]): readonly RateCount[] {
    const resetMs = this.turn();
    this.timer ??= apartFromRequest(() => setTimeout(() => void this.report(), REPORT_EVERY_MS).unref());
    return keys.map((key) => ({ count: this.add(key, 1), resetMs }));
  }

  undoHits(keys: readonly string[]): void {
    this.turn();
    for (const key of keys) if (this.counts.has(key)) this.add(key, -1);
  }

  readCounters(keys: readonly string[]): Promise<readonly RateCount[]> {
    const resetMs = this.turn();
    return Promise.resolve(keys.map((key) => ({ count: this.counts.get(key) ?? 0, resetMs })));
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private add(key: string, hits: 1 | -1): number {
    const count = (this.counts.get(key) ?? 0) + hits;
    this.counts.set(key, count);
    this.unreported.set(key, (this.unreported.get(key) ?? 0) + hits);
    return count;
  }

  /** Begins a new minute when it is time; how long this one still is. */
  private turn(): number {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
      this.unreported = new Map();
    }
    return (minute + 1) * MINUTE - now;
  }

  /** Exchanges counts with the other processes. What cannot be sent is counted here only. */
  private async report(): Promise<void> {
    const minute = this.minute;
    const reporting = this.unreported;
    this.unreported = new Map();
    try {
      const rows = [...reporting].map(([rc_key, rc_count]) => ({ rc_key, rc_minute: minute, rc_count }));
      const sums = rows.length === 0 ? [] : await this.shared.shareCounts(rows);
      if (minute === this.minute)
        for (const { rc_key, rc_count } of sums) this.counts.set(rc_key, rc_count + (this.unreported.get(rc_key) ?? 0));
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn({ msg: 'requests are counted by each process alone', err: error });
      this.failing = true;
    }
    this.timer = this.unreported.size > 0 ? setTimeout(() => void this.report(), REPORT_EVERY_MS).unref() : undefined;
  }
}
