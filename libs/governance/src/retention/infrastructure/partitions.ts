import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** A table by month: its months, the last of them (`2026_05`), and the rows that are in none. */
export interface PartitionedTable {
  readonly part_table: string;
  readonly part_count: number;
  readonly part_last: string | null;
  readonly part_default_rows: number;
}

/** The tables by month, across workspaces, through two definer functions. */
@Injectable()
export class Partitions {
  constructor(private readonly db: Database) {}

  listPartitions(): Promise<PartitionedTable[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<PartitionedTable & Record<string, unknown>>(
        'SELECT part_table::text, part_count, part_last, part_default_rows::float8 FROM partitions_overview()',
      ),
    );
  }

  /** Makes the coming months and drops those that are older than the days to keep; null keeps all. */
  async preparePartitions(table: string, keepDays: number | null): Promise<{ made: number; dropped: number }> {
    const counts = await this.db.acrossTenants((tx) =>
      tx.first<{ made: number; dropped: number }>('SELECT made, dropped FROM partitions_prepare($1, $2)', [table, keepDays]),
    );
    return counts ?? { made: 0, dropped: 0 };
  }
}
