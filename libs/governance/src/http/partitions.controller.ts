import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { PartitionKeeping, type PartitionedTable } from '../application/partition-keeping';
import { PartitionedTablePage } from './partitions.dto';

@ApiTags('Audit')
@Controller(`${OPERATOR_PREFIX}/partitions`)
export class PartitionsController {
  constructor(private readonly keeping: PartitionKeeping) {}

  /**
   * Lists the tables that are partitioned by month.
   */
  @Get()
  @Operator()
  @Returns(PartitionedTablePage, 'All of them.')
  async list(): Promise<Page<PartitionedTable>> {
    return { data: await this.keeping.overview(), has_more: false, next_cursor: null };
  }
}
