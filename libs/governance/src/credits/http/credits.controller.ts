import { Body as FromBody, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy, self } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { HonoursIfMatch, IfMatch, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { CreditsService, type BalanceAnswer, type CreditsAnswer, type GrantRow, type LedgerRow } from '../application/credits.service';
import { PricesService, type ParamAnswer, type PriceRow } from '../application/prices.service';
import {
  BalanceView,
  ChangeCredits,
  CreditsView,
  GrantPage,
  LedgerPage,
  ListGrants,
  ListLedger,
  ListPrices,
  ListUsageParams,
  PricePage,
  UsageParamPage,
  UsageParamView,
} from './credits.dto';

@ApiTags('Usage')
@Controller('usage')
export class UsagePricesController {
  constructor(
    private readonly credits: CreditsService,
    private readonly prices: PricesService,
  ) {}

  /**
   * Reads the remaining credits.
   *
   * Credits reserved for running work are not available. Under the policy `enforced`, work that would cost more than is available
   * returns 402 `credits_exhausted`.
   */
  @Get('balance')
  @Policy(self)
  @Returns(BalanceView)
  balance(): Promise<BalanceAnswer> {
    return this.credits.getBalance();
  }

  /**
   * Lists the usage parameters with their units and current prices.
   *
   * Without `limit`, one page contains all parameters.
   */
  @Get('params')
  @Policy(self)
  @Returns(UsageParamPage, 'The usage parameters.')
  async params(@Query() query: ListUsageParams): Promise<Page<ParamAnswer>> {
    return pageOfRows(UsageParamView, await this.prices.listParams(), query, ({ usage_param }) => usage_param);
  }
}

@ApiTags('Usage breakdown')
@Controller('admin')
export class CreditsController {
  constructor(
    private readonly credits: CreditsService,
    private readonly prices: PricesService,
  ) {}

  /**
   * Reads the credit balance, the active grants and the forecast of when credits run out.
   *
   * All amounts are credits with up to six decimals. The ETag is the version of the settings, not of the balance.
   */
  @Get('credits')
  @Named('getCredits')
  @Policy({ any: ['admin:usage'] })
  @ReturnsState(CreditsView)
  overview(): Promise<CreditsAnswer> {
    return this.credits.getOverview();
  }

  /**
   * Changes the low-balance warning.
   *
   * Whether credits are enforced or only metered is agreed with the operator of the installation.
   */
  @Patch('credits')
  @Policy({ any: ['admin:usage'], log: 'full' })
  @ReturnsState(CreditsView)
  @HonoursIfMatch()
  @Problems('precondition_failed')
  change(@FromBody() { credit_low_percent }: ChangeCredits, @IfMatch() precondition?: Precondition): Promise<CreditsAnswer> {
    return this.credits.changeSettings(credit_low_percent, precondition);
  }

  /**
   * Lists all credit grants.
   *
   * Sorted by creation time, newest first. Includes grants that have not started, are used up or have expired.
   */
  @Get('credits/grants')
  @Policy({ any: ['admin:usage'] })
  @Returns(GrantPage, 'A page of grants.')
  grants(@Query() query: ListGrants): Promise<Page<GrantRow>> {
    return this.credits.listGrants(query);
  }

  /**
   * Lists the entries of the credit ledger.
   *
   * Sorted by sequence number, newest first. The sum of all entries is the balance.
   */
  @Get('credits/ledger')
  @Named('listCreditLedger')
  @Policy({ any: ['admin:usage'] })
  @Returns(LedgerPage, 'A page of the ledger.')
  ledger(@Query() query: ListLedger): Promise<Page<LedgerRow>> {
    return this.credits.listLedger(query);
  }

  /**
   * Lists all versions of the prices.
   *
   * Sorted by validity, latest first. Includes list prices and prices agreed for this workspace; `at` selects those valid at a given
   * time.
   */
  @Get('usage/costs')
  @Named('getUsageCosts')
  @Policy({ any: ['admin:usage'] })
  @Returns(PricePage, 'A page of prices.')
  costs(@Query() query: ListPrices): Promise<Page<PriceRow>> {
    return this.prices.list(query);
  }
}
