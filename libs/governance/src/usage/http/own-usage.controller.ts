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
   * Lists your usage entries.
   *
   * Sorted by time, newest first.
   */
  @Get()
  @Named('listMyUsage')
  @Policy(self)
  @Returns(UsageEntryPage, 'A page of entries.')
  list(@Caller() caller: Principal, @Query() query: ListOwnUsage): Promise<Page<EntryRow>> {
    return this.entries.listOwnEntries(caller.user_id, query);
  }

  /**
   * Sums your usage by parameter and optionally by period, with the budgets that apply.
   *
   * Default range: the current month in the time zone of the workspace.
   */
  @Get('summary')
  @Policy(self)
  @Returns(UsageSummary, 'The sums.')
  summary(@Caller() caller: Principal, @Query() query: AskSummary): Promise<object> {
    return this.reports.getSummary(caller, query);
  }
}
