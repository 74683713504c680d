import { Text, Whole } from '@atrium/platform/database';
import { Answer, ListQuery, PageOf } from '@atrium/platform/http';

@Answer()
export class PartitionedTableView {
  @Text({ sort: true, filter: 'contains', about: 'Name of the table.', example: 'access_log' }) part_table!: string;
  @Whole({ about: 'Number of monthly partitions.', example: 4 }) part_count!: number;
  @Text({ optional: true, about: 'The latest partition.', example: '2026_05' }) part_last!: string | null;
  @Whole({ about: 'Rows outside of all monthly partitions. Expected: 0.', example: 0 }) part_default_rows!: number;
}

export class PartitionedTablePage extends PageOf(PartitionedTableView) {}
export class ListPartitions extends ListQuery(PartitionedTableView, { whole: true }) {}
