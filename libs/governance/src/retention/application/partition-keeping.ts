import { Injectable } from '@nestjs/common';
import { Partitions, type PartitionedTable } from '../infrastructure/partitions';

export type { PartitionedTable };

/** Answers how many days of a table some workspace keeps at most; null: all of it stays. */
export type KeptDays = () => Promise<number | null>;

/**
 * The months of the tables that are partitioned. The code that decides how long rows are kept calls `keepFor`; a month is
 * dropped when all of it is older, never before.
 */
@Injectable()
export class PartitionKeeping {
  private readonly keeping = new Map<string, KeptDays>();

  constructor(private readonly partitions: Partitions) {}

  /** The longest that any workspace keeps rows of the table. */
  keepFor(table: string, days: KeptDays): void {
    this.keeping.set(table, days);
  }

  overview(): Promise<PartitionedTable[]> {
    return this.partitions.overview();
  }

  /** Makes the months to come of every table and drops those kept long enough. */
  async prepare(): Promise<{ readonly table: string; readonly made: number; readonly dropped: number }[]> {
    const done = [];
    for (const { part_table: table } of await this.partitions.overview()) {
      const days = await this.keeping.get(table)?.();
      done.push({ table, ...(await this.partitions.prepare(table, days ?? null)) });
    }
    return done;
  }
}
