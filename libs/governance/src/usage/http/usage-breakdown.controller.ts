import { Body as FromBody, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import type { Forecast } from '../../credits/domain/forecast';
import { UsageEntries, type EntryRow } from '../application/usage-entries.service';
import { UsageForecasts } from '../application/usage-forecasts.service';
import { UsageReports, type Pivot } from '../application/usage-reports.service';
import { UsageSimulations } from '../application/usage-simulations.service';
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
    private readonly simulations: UsageSimulations,
  ) {}

  /**
   * Sums usage in total, by parameter, and in comparison with the range before.
   *
   * With `pivot` also by day, member, agent, prompt or parameter. Units are in that of the parameter, and null where a sum
   * would mix them; credits are exact to the millionth.
   */
  @Get('aggregated')
  @Named('aggregateUsage')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageAggregate, 'The sums.')
  aggregated(@Query() query: AskAggregated): Promise<object> {
    return this.reports.aggregated(query);
  }

  /**
   * Makes a table of usage: rows by date, member, agent, prompt or parameter, columns by parameter or period.
   *
   * Exact at every moment and in every time zone: periods are local days, weeks (from Monday) or months, and the days
   * clocks change on are as long as they were. Rows group by id, so a new name splits no row. `total` covers everything, also
   * what lies beyond 5,000 rows. Asking `GET /admin/usage/details` with the filters of a cell (a period's `from`, and its `to`
   * less a millisecond) lists exactly its entries.
   */
  @Get('pivot')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsagePivot, 'The table.')
  pivot(@Query() query: AskPivot): Promise<Pivot> {
    return this.reports.pivot(query);
  }

  /**
   * Lists the entries behind a sum, with the names of who and what they were for.
   *
   * Newest first.
   */
  @Get('details')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageDetailPage, 'A page of entries.')
  details(@Query() query: ListUsageDetails): Promise<Page<EntryRow>> {
    return this.entries.details(query);
  }

  /**
   * Lists usage entries.
   *
   * Newest first; `limit_extended` serves exports.
   */
  @Get('entries')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageEntryPage, 'A page of entries.')
  list(@Query() query: ListUsageEntries): Promise<Page<EntryRow>> {
    return this.entries.ofWorkspace(query);
  }

  /**
   * Foretells what the coming days will cost.
   *
   * From the last 28 full days of the workspace's time zone, each coming day like those of its name. All values are null
   * while there are fewer than seven days to judge by.
   */
  @Get('forecast')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageForecastView, 'The forecast.')
  forecast(@Query() { horizon_days }: AskForecast): Promise<Forecast> {
    return this.forecasts.foresee(horizon_days);
  }

  /**
   * Tries other prices on past usage: what it would have cost, beside what it did.
   *
   * Changes nothing. A price without a variant holds for all variants that none is given for; what no price is given for
   * keeps its real credits.
   */
  @Post('simulate')
  @Policy({ any: ['admin:usage'], rate: 'admin-report' })
  @Returns(UsageSimulation, 'Both sums.')
  simulate(@FromBody() body: SimulateUsage): Promise<object> {
    return this.simulations.simulate(body);
  }
}
