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
   * Lists your rate limits and the requests remaining in each.
   *
   * Every response reports the narrowest limit in its headers `RateLimit-Policy` and `RateLimit`. Requests beyond a limit return 429
   * `rate_limited`; `Retry-After` is the number of seconds until the next window begins. Without `limit`, one page contains all
   * limits.
   */
  @Get()
  @Policy(self)
  @Returns(RatePolicyPage, 'The limits.')
  async list(@Caller() caller: Principal, @Query() query: ListRatePolicies): Promise<Page<RatePolicyRow>> {
    return pageOfRows(
      RatePolicyView,
      await this.limiter.listAllowances(caller),
      query,
      ({ rl_class, rl_scope }) => `${rl_class}.${rl_scope}`,
    );
  }
}

/** What operators grant one workspace. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/workspaces/:id/rate-limits`)
export class OperatorRateLimitsController {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Sets the requests per minute of a workspace for each class.
   *
   * Classes that are not in the request return to their defaults. Takes effect in all processes within half a minute.
   */
  @Put()
  @Operator()
  @Returns(GrantedRates)
  grant(@PathId() id: string, @FromBody() limits: GrantedRates): Promise<object> {
    return this.limiter.replaceOverrides(id, { ...limits });
  }
}
