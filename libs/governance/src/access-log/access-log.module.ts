import { Module, type Provider } from '@nestjs/common';
import { PermissionUse } from '@atrium/identity';
import { AccessModule } from '@atrium/platform/access';
import { UsageModule } from '../usage/usage.module';
import { AccessLogWriter } from './application/access-log.writer';
import { AccessLogsService } from './application/access-logs.service';
import { LogScrubbing } from './application/log-scrubbing';
import { RowDelivery } from './application/row-delivery';
import { AccessLogsController } from './http/access-logs.controller';
import { AccessLogReading } from './infrastructure/access-log-reading.rows';
import { AccessLogRows } from './infrastructure/access-log.rows';
import { PermissionUseRows } from './infrastructure/permission-use.rows';
import { ScrubbedRows } from './infrastructure/scrubbed.rows';
import { SpilledRows } from './infrastructure/spilled-rows';
import { ScrubSchedule } from './jobs/scrub.schedule';

const ACCESS_LOG: Provider[] = [
  AccessLogReading,
  AccessLogRows,
  AccessLogsService,
  LogScrubbing,
  ScrubbedRows,
  { provide: PermissionUse, useClass: PermissionUseRows },
];

/** The rows of finished requests, and what they tell. */
@Module({ imports: [UsageModule], providers: ACCESS_LOG, exports: ACCESS_LOG })
export class AccessLogModule {}

/** Its routes, and the record of every request of this process. */
@Module({
  imports: [AccessLogModule, AccessModule],
  controllers: [AccessLogsController],
  providers: [AccessLogWriter, RowDelivery, SpilledRows],
})
export class AccessLogHttpModule {}

/** Its upkeep. */
@Module({ imports: [AccessLogModule], providers: [ScrubSchedule] })
export class AccessLogWorkerModule {}
