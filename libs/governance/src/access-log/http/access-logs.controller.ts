import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { AccessLogsService } from '../application/access-logs.service';
import type { AccessLogRowRead, RequestStats } from '../domain/access-log-entry';
import { AccessLogPage, AccessLogStats, AccessLogStatsQuery, ListAccessLogs } from './access-logs.dto';

/** The access log of the workspace. */
@ApiTags('Audit')
@Controller('admin/access-logs')
export class AccessLogsController {
  constructor(private readonly logs: AccessLogsService) {}

  /**
   * Lists the requests of the workspace.
   *
   * Sorted by time, newest first. A row appears within a second of its request. Text filters need at least three characters, ignore
   * case and take `%` and `_` literally. Secrets are never logged, and private content is logged only by its shape.
   */
  @Get()
  @Policy({ any: ['admin:audit'] }, { rate: 'admin-report' })
  @Returns(AccessLogPage, 'A page of requests.')
  list(@Query() query: ListAccessLogs): Promise<Page<AccessLogRowRead>> {
    return this.logs.list(query);
  }

  /**
   * Counts requests by route, user, status, key or day, with percentiles of their duration.
   *
   * Durations are in milliseconds. Days are calendar days in `tz`.
   */
  @Get('stats')
  @Policy({ any: ['admin:audit'] }, { rate: 'admin-report' })
  @Returns(AccessLogStats, 'The groups.')
  stats(@Query() query: AccessLogStatsQuery): Promise<{ readonly data: RequestStats[] }> {
    return this.logs.getStats(query);
  }
}
