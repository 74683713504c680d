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
   * Newest first; a row appears within a second of its request. Texts are searched from three characters on, in any
   * case, with `%` and `_` as they are. Secrets never stand in the log, and of private content its shape alone.
   */
  @Get()
  @Policy({ any: ['admin:audit'] }, { rate: 'admin-report' })
  @Returns(AccessLogPage, 'A page of requests.')
  list(@Query() query: ListAccessLogs): Promise<Page<AccessLogRowRead>> {
    return this.logs.list(query);
  }

  /**
   * Counts requests by route, user, status, key or day, with how long they took.
   *
   * Durations are percentiles in milliseconds. Days are local days of `tz`.
   */
  @Get('stats')
  @Policy({ any: ['admin:audit'] }, { rate: 'admin-report' })
  @Returns(AccessLogStats, 'The groups.')
  stats(@Query() query: AccessLogStatsQuery): Promise<{ readonly data: RequestStats[] }> {
    return this.logs.stats(query);
  }
}
