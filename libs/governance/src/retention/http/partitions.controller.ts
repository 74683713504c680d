import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX } from '@atrium/platform/access';
import { pageOfRows, type Page, Text, Whole } from '@atrium/platform/database';
import { Returns, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import { PartitionMaintenance, type PartitionedTable } from '../application/partition-maintenance';

@Answer()
class PartitionedTableView {
  @Text({ sort: true, filter: 'contains', about: 'Name of the table.', example: 'access_log' }) part_table!: string;
  @Whole({ about: 'Number of monthly partitions.', example: 4 }) part_count!: number;
  @Text({ optional: true, about: 'The latest partition.', example: '2026_05' }) part_last!: string | null;
  @Whole({ about: 'Rows outside of all monthly partitions. Expected: 0.', example: 0 }) part_default_rows!: number;
}

class PartitionedTablePage extends PageOf(PartitionedTableView) {}
class ListPartitions extends ListQuery(PartitionedTableView, { whole: true }) {}

@ApiTags('Audit')
@Controller(`${OPERATOR_PREFIX}/partitions`)
export class PartitionsController {
  constructor(private readonly keeping: PartitionMaintenance) {}

  /**
   * Lists the tables that are partitioned by month.
   */
  @Get()
  @Operator()
  @Returns(PartitionedTablePage, 'The partitioned tables.')
  async list(@Query() query: ListPartitions): Promise<Page<PartitionedTable>> {
    return pageOfRows(PartitionedTableView, await this.keeping.listPartitions(), query, ({ part_table }) => part_table);
  }
}
