import { Body as FromBody, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import type { Forecast } from '../../credits/domain/forecast';
import { UsageEntries, type EntryRow } from '../application/usage-entries.service';
import { UsageForecasts } from '../application/usage-forecasts.service';
import { UsageReports, type Pivot } from '../application/usage-reports.service';
import {
  AskAggregated,
  AskForecast,
  AskPivot,
  ListUsageDetails,
  ListUsageEntries,
  SimulateUsage,
  UsageAggregate,
  UsageDetailPage,
  UsageEntryPage,
  UsageForecastView,
  UsagePivot,
  UsageSimulation,
} from './usage-reports.dto';

@ApiTags('Usage breakdown')
@Controller('admin/usage')
export class UsageBreakdownController {
  constructor(
    private readonly reports: UsageReports,
    private readonly entries: UsageEntries,
    private readonly forecasts: UsageForecasts,
  ) {}

  /**
   * Sums usage in total and by parameter, and compares it with the previous range.
   *
   * With `pivot`, also by day, member, agent, prompt or parameter. Quantities are in the unit of the parameter, and null where a sum
   * would mix units. Credits have up to six decimals.
   */
  @Get('aggregated')
  @Named('aggregateUsage')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageAggregate, 'The sums.')
  aggregated(@Query() query: AskAggregated): Promise<object> {
    return this.reports.getAggregates(query);
  }

  /**
   * Builds a pivot table of usage: rows by date, member, agent, prompt or parameter, columns by parameter or period.
   *
   * Figures are always exact, in every time zone: periods are local days, weeks (from Monday) or months, and days on which clocks
   * change have their real length. Rows are grouped by id, so renaming does not split a row. `total` covers everything, including what
   * is beyond 5,000 rows. Calling `GET /admin/usage/details` with the filters of a cell (a period's `from`, and its `to` less a
   * millisecond) lists exactly its entries.
   */
  @Get('pivot')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsagePivot, 'The table.')
  pivot(@Query() query: AskPivot): Promise<Pivot> {
    return this.reports.getPivot(query);
  }

  /**
   * Lists the usage entries behind a sum, with the names of their members and targets.
   *
   * Sorted by time, newest first.
   */
  @Get('details')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageDetailPage, 'A page of entries.')
  details(@Query() query: ListUsageDetails): Promise<Page<EntryRow>> {
    return this.entries.listEntryDetails(query);
  }

  /**
   * Lists usage entries.
   *
   * Sorted by time, newest first. Use `limit_extended` for exports.
   */
  @Get('entries')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageEntryPage, 'A page of entries.')
  list(@Query() query: ListUsageEntries): Promise<Page<EntryRow>> {
    return this.entries.listEntriesOfWorkspace(query);
  }

  /**
   * Forecasts the cost of the coming days.
   *
   * Based on the last 28 full days in the time zone of the workspace; each day is forecast from the same weekdays. All values are null
   * if there are fewer than seven days of data.
   */
  @Get('forecast')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageForecastView, 'The forecast.')
  forecast(@Query() { horizon_days }: AskForecast): Promise<Forecast> {
    return this.forecasts.forecastUsage(horizon_days);
  }

  /**
   * Simulates other prices on past usage and compares them with the real cost.
   *
   * Nothing is changed. A price without a variant applies to all variants without a price of their own. Usage without a simulated
   * price keeps its real cost.
   */
  @Post('simulate')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageSimulation, 'Both sums.')
  simulate(@FromBody() body: SimulateUsage): Promise<object> {
    return this.forecasts.simulate(body);
  }
}
