import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { PartitionKeeping, type PartitionedTable } from '../application/partition-keeping';
import { ListPartitions, PartitionedTablePage, PartitionedTableView } from './partitions.dto';

@ApiTags('Audit')
@Controller(`${OPERATOR_PREFIX}/partitions`)
export class PartitionsController {
  constructor(private readonly keeping: PartitionKeeping) {}

  /**
   * Lists the tables that are partitioned by month.
   */
  @Get()
  @Operator()
  @Returns(PartitionedTablePage, 'The partitioned tables.')
  async list(@Query() query: ListPartitions): Promise<Page<PartitionedTable>> {
    return pageOfRows(PartitionedTableView, await this.keeping.overview(), query, ({ part_table }) => part_table);
  }
}
