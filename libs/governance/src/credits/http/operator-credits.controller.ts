import { Body as FromBody, Controller, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { PathId, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { CreditOperations } from '../application/credit-operations';
import type { CreditState, GrantRow } from '../application/credits.service';
import { PricesService, type PriceRow } from '../application/prices.service';
import {
  ChangePolicy,
  CorrectCredits,
  CreditStateView,
  GiveCredits,
  ListListPrices,
  PricePage,
  PriceView,
  ReversedUsage,
  ReverseUsage,
  SetPrice,
} from './credits.dto';

/** Credits and prices of one workspace, for operators. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/workspaces/:id`)
export class OperatorCreditsController {
  constructor(
    private readonly credits: CreditOperations,
    private readonly prices: PricesService,
  ) {}

  /** Grants credits; returns 200 with the existing grant if the `grant_external_id` is known. */
  @Post('credits')
  @Operator()
  @HttpCode(201)
  async grant(@PathId() id: string, @FromBody() body: GiveCredits, @Res({ passthrough: true }) response: Response): Promise<GrantRow> {
    const { grant, made } = await this.credits.grantCredits(id, body);
    if (!made) response.status(200);
    return grant;
  }

  /** Sets whether credits are enforced or only metered. */
  @Patch('credits')
  @Operator()
  @Returns(CreditStateView)
  setPolicy(@PathId() id: string, @FromBody() { credit_policy }: ChangePolicy): Promise<CreditState> {
    return this.credits.setPolicy(id, credit_policy);
  }

  /** Corrects the balance with an entry in the ledger. */
  @Post('credits/corrections')
  @Operator()
  @Returns(CreditStateView)
  correct(@PathId() id: string, @FromBody() { led_credits, led_note }: CorrectCredits): Promise<CreditState> {
    return this.credits.correctBalance(id, led_credits, led_note);
  }

  /**
   * Reverses a usage entry and returns its credits to their grants.
   *
   * An entry can be reversed once.
   */
  @Post('usage/:usage_id/reverse')
  @Operator()
  @Returns(ReversedUsage)
  reverse(
    @PathId() id: string,
    @PathId('usage_id') usage_id: string,
    @FromBody() { note }: ReverseUsage,
  ): Promise<{ usage_id: string; usage_reverses: string }> {
    return this.credits.reverseUsage(id, usage_id, note ?? null);
  }

  /** Sets a price for the workspace that takes precedence over the list price from a given time on. */
  @Post('costs')
  @Operator()
  @HttpCode(201)
  setPrice(@PathId() id: string, @FromBody() body: SetPrice): Promise<PriceRow> {
    return this.prices.setAgreed(id, body);
  }
}

/** List prices of the installation, for operators. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/costs`)
export class OperatorPricesController {
  constructor(private readonly prices: PricesService) {}

  /**
   * Lists all versions of the list prices.
   *
   * Sorted by validity, latest first.
   */
  @Get()
  @Operator()
  @Returns(PricePage, 'The list prices.')
  async list(@Query() query: ListListPrices): Promise<Page<PriceRow>> {
    return pageOfRows(PriceView, await this.prices.listPlatformPrices(), query, ({ cost_id }) => cost_id);
  }

  /** Sets a list price from a given time on. */
  @Post()
  @Operator()
  @HttpCode(201)
  set(@FromBody() body: SetPrice): Promise<PriceRow> {
    return this.prices.setList(body);
  }
}
