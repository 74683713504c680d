import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX } from '@atrium/platform/access';
import { Returns } from '@atrium/platform/http';
import { UsageRollup, type Rebuilt } from '../application/usage-rollup';
import { RebuildUsage, RebuiltUsage } from './usage-reports.dto';

@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/usage`)
export class UsageRebuildController {
  constructor(private readonly rollup: UsageRollup) {}

  /**
   * Rebuilds the usage rollups from the entries.
   *
   * Covers whole UTC days as far back as all entries are kept. Reports remain exact in the meantime.
   */
  @Post('rebuild')
  @Operator()
  @Returns(RebuiltUsage, 'Result of the rebuild.')
  rebuild(@FromBody() { workspace, from, to }: RebuildUsage): Promise<Rebuilt> {
    return this.rollup.rebuildRollups({ workspace: workspace ?? undefined, from, to });
  }
}
