import { Body as FromBody, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Operator, OPERATOR_PREFIX, Policy, self, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { PathId, Returns } from '@atrium/platform/http';
import { RateLimiter, type RatePolicyRow } from './rate-limiter';
import { GrantedRates, ListRatePolicies, RatePolicyPage, RatePolicyView } from './rate-limits.dto';

/** How many requests a caller may make. */
@ApiTags('Usage')
@Controller('rate-limits')
export class RateLimitsController {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Lists the rate limits of the caller, with what is left of each.
   *
   * Every answer tells the narrowest of them in its headers `RateLimit-Policy` and `RateLimit`. Beyond it requests answer
   * 429 `rate_limited`, and `Retry-After` says in how many seconds the window begins anew.
   * Without `limit` one page holds all limits.
   */
  @Get()
  @Policy(self)
  @Returns(RatePolicyPage, 'The limits.')
  async list(@Caller() caller: Principal, @Query() query: ListRatePolicies): Promise<Page<RatePolicyRow>> {
    return pageOfRows(RatePolicyView, await this.limiter.standing(caller), query, ({ rl_class, rl_scope }) => `${rl_class}.${rl_scope}`);
  }
}

/** What operators grant one workspace. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/workspaces/:id/rate-limits`)
export class OperatorRateLimitsController {
  constructor(private readonly limiter: RateLimiter) {}

  /** Sets a workspace's requests a minute by class, as a whole; known to every process within half a minute. */
  @Put()
  @Operator()
  @Returns(GrantedRates)
  grant(@PathId() id: string, @FromBody() limits: GrantedRates): Promise<object> {
    return this.limiter.grant(id, { ...limits });
  }
}
