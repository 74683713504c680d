import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { StockImportsRepository } from '../infrastructure/stock-imports.repository';
import { stockPing } from '../jobs/stock.jobs';
import { StockPhotos } from './stock-photos.service';

/**
 * Reports acquired photos to their providers: planned in the unit of work that makes the file, so for every photo that came
 * and for none that did not, and repeated until the provider has taken it. A provider gives no way to say the same thing
 * twice without its counting twice: so it may, where a worker is lost between the answer and its being remembered.
 */
@Injectable()
export class StockPings {
  constructor(
    private readonly db: Database,
    private readonly rows: StockImportsRepository,
    private readonly photos: StockPhotos,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Within the unit of work that makes the file. */
  queuePing(file_id: string): void {
    this.outbox.addJob(planJob(stockPing, { file_id }));
  }

  async sendPing(file_id: string, signal: AbortSignal): Promise<void> {
    const pending = await this.db.read(() => this.rows.findPendingPing(file_id));
    if (!pending) return;
    await this.photos.getProvider(pending.stock_id).provider.reportDownload(pending.ping, signal);
    await this.db.write(() => this.rows.markReported(file_id, this.clock.now()));
  }
}
