import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UsageMeter } from '@atrium/governance';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock, Ids, MINUTE, SECOND } from '@atrium/platform/kernel';
import { PublicationStatRows, type CountedHits } from '../infrastructure/publication-stats.rows';

/** One answer that was given. */
export interface Hit {
  readonly tenant_id: string;
  readonly pub_id: string;
  /** `hit`, or why it was refused. */
  readonly outcome: string;
  readonly country: string | null;
  readonly bytes: number;
}

const FLUSH_MS = 10 * SECOND;
const CHARGE_MS = MINUTE;
/** Kept while they cannot be written; more are dropped. */
const MOST_CELLS = 100_000;
const GB = 1e9;

/**
 * Counts what the public fetched and what was refused, in memory, and writes the sums every ten seconds and when the host
 * ends. What cannot be written waits for the next time.
 */
@Injectable()
export class PublicationHits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(PublicationHits.name);
  private readonly counted = new Map<string, Map<string, CountedHits>>();
  private readonly egress = new Map<string, number>();
  private cells = 0;
  private charged = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly rows: PublicationStatRows,
    private readonly meter: UsageMeter,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  onApplicationBootstrap(): void {
    this.charged = this.clock.now().getTime();
    this.timer = setInterval(() => void this.flushCounts(), FLUSH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.charged = 0;
    await this.flushCounts();
  }

  countHit({ tenant_id, pub_id, outcome, country, bytes }: Hit): void {
    const last = this.clock.now().toISOString();
    const day = last.slice(0, 10);
    const cells = this.counted.get(tenant_id) ?? new Map<string, CountedHits>();
    this.counted.set(tenant_id, cells);
    const key = `${pub_id} ${day} ${outcome} ${country ?? ''}`;
    const cell = cells.get(key);
    if (cell) Object.assign(cell, { hits: cell.hits + 1, bytes: cell.bytes + bytes, last });
    else if (this.cells < MOST_CELLS) {
      this.cells += 1;
      cells.set(key, { pub_id, day, outcome, country: country ?? '', hits: 1, bytes, last });
    }
    if (bytes > 0) this.egress.set(tenant_id, (this.egress.get(tenant_id) ?? 0) + bytes);
  }

  /** One after the other; never rejects. */
  flushCounts(): Promise<void> {
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  private async write(): Promise<void> {
    const isChargeDue = this.clock.now().getTime() - this.charged >= CHARGE_MS;
    const tenants = new Set([...this.counted.keys(), ...(isChargeDue ? this.egress.keys() : [])]);
    if (isChargeDue) this.charged = this.clock.now().getTime();
    for (const tenant_id of tenants) {
      const cells = [...(this.counted.get(tenant_id)?.values() ?? [])];
      const bytes = isChargeDue ? (this.egress.get(tenant_id) ?? 0) : 0;
      this.counted.delete(tenant_id);
      this.cells -= cells.length;
      if (isChargeDue) this.egress.delete(tenant_id);
      await inWorkspace(tenant_id, () => this.store(cells, bytes)).catch((error: unknown) => {
        this.log.warn({ msg: 'hits of publications wait to be written', tenant_id, err: error });
        this.takeBack(tenant_id, cells, bytes);
      });
    }
  }

  private store(cells: readonly CountedHits[], bytes: number): Promise<void> {
    return this.db.write(async () => {
      if (cells.length > 0) {
        await this.rows.addHits(cells);
      }
      if (bytes > 0)
        this.meter.chargeUsage({
          param: 'publication.egress_gb',
          units: (bytes / GB).toFixed(9),
          user: null,
          ref: {},
          at: this.clock.now(),
          source: `publication.egress:${this.ids.next()}`,
        });
    });
  }

  private takeBack(tenant_id: string, cells: readonly CountedHits[], bytes: number): void {
    const open = this.counted.get(tenant_id) ?? new Map<string, CountedHits>();
    for (const cell of cells) {
      const key = `${cell.pub_id} ${cell.day} ${cell.outcome} ${cell.country}`;
      const present = open.get(key);
      if (present) Object.assign(present, { hits: present.hits + cell.hits, bytes: present.bytes + cell.bytes });
      else if (this.cells < MOST_CELLS) {
        this.cells += 1;
        open.set(key, cell);
      }
    }
    this.counted.set(tenant_id, open);
    if (bytes > 0) this.egress.set(tenant_id, (this.egress.get(tenant_id) ?? 0) + bytes);
  }
}
