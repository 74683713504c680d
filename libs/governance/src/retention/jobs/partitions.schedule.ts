import { Injectable, Logger } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every } from '@atrium/platform/messaging';
import { PartitionMaintenance } from '../application/partition-maintenance';

/** Makes the coming months of every table by month and drops those kept long enough: when workers start, and hourly. */
@Injectable()
export class PartitionsSchedule {
  private readonly log = new Logger(PartitionsSchedule.name);

  constructor(private readonly keeping: PartitionMaintenance) {}

  @Every(HOUR, 'governance.partitions')
  async preparePartitions(): Promise<void> {
    for (const { table, made, dropped } of await this.keeping.preparePartitions()) {
      if (made + dropped > 0) this.log.log(`${table}: ${made} months made, ${dropped} dropped`);
    }
  }
}
