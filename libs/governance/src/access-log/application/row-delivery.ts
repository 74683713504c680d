import { Injectable, Logger } from '@nestjs/common';
import { Problem, SECOND } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import type { AccessLogRow } from '../domain/access-log-row';
import { AccessLogRows } from '../infrastructure/access-log.rows';
import { SpilledRows } from '../infrastructure/spilled-rows';

/** So long the database is left alone after it refused. */
const REST_MS = SECOND;
/** What others have left is looked for so often. */
const LOOK_MS = 5 * SECOND;

/**
 * Brings rows of the access log to where they stay: the database, or Redis while the database is away. What has been
 * spilled is written when it is back, by whichever process is first.
 */
@Injectable()
export class RowDelivery {
  private readonly log = new Logger(RowDelivery.name);
  private refusedAt = -Infinity;
  private looked = -Infinity;
  private failing = false;

  constructor(
    private readonly rows: AccessLogRows,
    private readonly spilled: SpilledRows,
    private readonly metrics: Metrics,
  ) {}

  /** Whether the database may be asked, or not again yet. */
  get isResting(): boolean {
    return performance.now() - this.refusedAt < REST_MS;
  }

  /** True when the rows are kept somewhere; false when they must wait where they are. Never rejects. */
  async deliverRows(rows: readonly AccessLogRow[]): Promise<boolean> {
    if (!this.isResting && (await this.written(rows))) return true;
    if (!this.spilled.isThere) return false;
    try {
      this.countLostRows(await this.spilled.spillRows(rows));
      return true;
    } catch {
      return false;
    }
  }

  /** Writes what was spilled, here or by others, now and then. Never rejects. */
  async recoverSpilledRows(): Promise<void> {
    const now = performance.now();
    if (!this.spilled.isThere || this.isResting || now - this.looked < LOOK_MS) return;
    this.looked = now;
    // Also while nothing new is there to tell that the database is back.
    await this.spilled
      .drainRows(500, (rows) => this.write(rows))
      .catch((error: unknown) => this.log.debug({ msg: 'spilled rows could not be written yet', err: error }));
  }

  countLostRows(count: number): void {
    if (count > 0) this.metrics.accessLogLost.inc(count);
  }

  close(): Promise<void> {
    return this.spilled.close();
  }

  private async written(rows: readonly AccessLogRow[]): Promise<boolean> {
    try {
      await this.write(rows);
      if (this.failing) this.looked = -Infinity;
      this.failing = false;
      return true;
    } catch (error) {
      if (!this.failing)
        this.log.warn(`The access log cannot be written; rows wait. ${error instanceof Error ? error.message : String(error)}`);
      this.failing = true;
      this.refusedAt = performance.now();
      return false;
    }
  }

  /** A batch with a row that cannot be stored is halved until that row is alone; only it is lost. */
  private async write(rows: readonly AccessLogRow[]): Promise<void> {
    try {
      await this.rows.appendRows(rows);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      if (rows.length === 1) return this.countLostRows(1);
      const half = Math.ceil(rows.length / 2);
      await this.write(rows.slice(0, half));
      await this.write(rows.slice(half));
    }
  }
}
