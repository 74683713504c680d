import { Injectable } from '@nestjs/common';
import { Partitions, type PartitionedTable } from '../infrastructure/partitions';

export type { PartitionedTable };

/** Answers how many days of a table some workspace keeps at most; null: all of it stays. */
export type RetentionDays = () => Promise<number | null>;

/**
 * The months of the tables that are partitioned. The code that decides how long rows are kept calls `setRetention`; a month is
 * dropped when all of it is older, never before.
 */
@Injectable()
export class PartitionMaintenance {
  private readonly keeping = new Map<string, RetentionDays>();

  constructor(private readonly partitions: Partitions) {}

  /** The longest that any workspace keeps rows of the table. */
  setRetention(table: string, days: RetentionDays): void {
    this.keeping.set(table, days);
  }

  listPartitions(): Promise<PartitionedTable[]> {
    return this.partitions.listPartitions();
  }

  /** Makes the months to come of every table and drops those kept long enough. */
  async preparePartitions(): Promise<{ readonly table: string; readonly made: number; readonly dropped: number }[]> {
    const done = [];
    for (const { part_table: table } of await this.partitions.listPartitions()) {
      const days = await this.keeping.get(table)?.();
      done.push({ table, ...(await this.partitions.preparePartitions(table, days ?? null)) });
    }
    return done;
  }
}
