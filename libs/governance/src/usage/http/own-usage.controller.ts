import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { UsageEntries, type EntryRow } from '../application/usage-entries.service';
import { UsageReports } from '../application/usage-reports.service';
import { AskSummary, ListOwnUsage, UsageEntryPage, UsageSummary } from './usage-reports.dto';

@ApiTags('Usage')
@Controller('usage')
export class OwnUsageController {
  constructor(
    private readonly entries: UsageEntries,
    private readonly reports: UsageReports,
  ) {}

  /**
   * Lists what the caller used.
   *
   * Newest first.
   */
  @Get()
  @Named('listMyUsage')
  @Policy(self)
  @Returns(UsageEntryPage, 'A page of entries.')
  list(@Caller() caller: Principal, @Query() query: ListOwnUsage): Promise<Page<EntryRow>> {
    return this.entries.own(caller.user_id, query);
  }

  /**
   * Sums what the caller used, by parameter and, if asked, by period, with the budgets that bind them.
   *
   * Without a range, this month in the time zone of the workspace.
   */
  @Get('summary')
  @Policy(self)
  @Returns(UsageSummary, 'The sums.')
  summary(@Caller() caller: Principal, @Query() query: AskSummary): Promise<object> {
    return this.reports.summary(caller, query);
  }
}
