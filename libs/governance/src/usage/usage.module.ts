import { Module, type Provider } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module';
import { UsageEntries } from './application/usage-entries.service';
import { UsageForecasts } from './application/usage-forecasts.service';
import { UsageLabels } from './application/usage-labels';
import { UsageRanges } from './application/usage-ranges';
import { UsageReports } from './application/usage-reports.service';
import { UsageRollup } from './application/usage-rollup';
import { UsageReporting } from './application/usage-reporting';
import { OwnUsageController } from './http/own-usage.controller';
import { UsageBreakdownController } from './http/usage-breakdown.controller';
import { UsageRebuildController } from './http/usage-rebuild.controller';
import { UsageRangeRows } from './infrastructure/usage-range.rows';
import { UsageRollupRows } from './infrastructure/usage-rollup.rows';
import { UsageSumsRows } from './infrastructure/usage-sums.rows';
import { UnreportedUsageRows } from './infrastructure/unreported-usage.rows';
import { UsageRollupSchedule } from './jobs/usage-rollup.schedule';

const USAGE: Provider[] = [
  UsageLabels,
  UsageRangeRows,
  UsageSumsRows,
  UsageRanges,
  UsageReports,
  UsageEntries,
  UsageForecasts,
  UsageRollup,
  UsageRollupRows,
  UnreportedUsageRows,
  UsageReporting,
];

/** What reports of usage are made of. */
@Module({ imports: [CreditsModule], providers: USAGE, exports: USAGE })
export class UsageModule {}

/** Its routes. */
@Module({ imports: [UsageModule], controllers: [OwnUsageController, UsageBreakdownController, UsageRebuildController] })
export class UsageHttpModule {}

/** Its background work. */
@Module({ imports: [UsageModule], providers: [UsageRollupSchedule] })
export class UsageWorkerModule {}
