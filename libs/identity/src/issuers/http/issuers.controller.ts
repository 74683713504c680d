import { Body as FromBody, Controller, Delete, Get, Headers, HttpCode, Ip, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, Public } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  AnswersSecret,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
} from '@atrium/platform/http';
import { ExchangeService } from '../application/exchange.service';
import { IssuersService, type IssuerAnswer, type IssuerRow, type IssuerTrial } from '../application/issuers.service';
import type { SignedIn } from '../../sign-in/application/sessions';
import { SignedInView } from '../../sign-in/http/auth.dto';
import { ChangeIssuer, CreateIssuer, ExchangeBody, IssuerPage, IssuerTrialView, IssuerView, ListIssuers, TestIssuer } from './issuers.dto';

@ApiTags('Workspace settings')
@Controller('admin/issuers')
export class IssuersController {
  constructor(private readonly issuers: IssuersService) {}

  /**
   * Lists the OpenID providers that the workspace trusts.
   */
  @Get()
  @Policy({ any: ['admin:settings'] })
  @Returns(IssuerPage, 'A page of issuers.')
  list(@Query() query: ListIssuers): Promise<Page<IssuerRow>> {
    return this.issuers.list(query);
  }

  /**
   * Trusts an OpenID provider.
   *
   * Its discovery document and keys are fetched at once: 422 when they can not be had or name another issuer, 400 when
   * an address does not lead to a public host. The domains it may speak for are needed unless it only lets in people who
   * are linked. Roles it gives must be roles you could give, and nobody gets in by it who may more than you.
   */
  @Post()
  @Policy({ any: ['admin:settings'], stepUp: true })
  @Creates(IssuerView, 'admin/issuers/{iss_id}')
  @Problems('already_exists', 'unprocessable_content')
  create(@Caller() caller: Principal, @FromBody() body: CreateIssuer): Promise<IssuerAnswer> {
    return this.issuers.create(caller, body);
  }

  /**
   * Reads an issuer.
   */
  @Get(':id')
  @Policy({ any: ['admin:settings'] })
  @HasId()
  @ReturnsResource(IssuerView)
  one(@PathId() id: string): Promise<IssuerAnswer> {
    return this.issuers.one(id);
  }

  /**
   * Changes an issuer.
   *
   * Only the fields present. A new address is asked as at creation. With another `iss_issuer` it knows nobody any more;
   * then, and when it is made inactive, the sessions it vouched for end.
   */
  @Patch(':id')
  @Policy({ any: ['admin:settings'], stepUp: true })
  @HasId()
  @ReturnsResource(IssuerView)
  @HonoursIfMatch()
  @Problems('already_exists', 'precondition_failed', 'unprocessable_content')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeIssuer,
    @IfMatch() precondition?: Precondition,
  ): Promise<IssuerAnswer> {
    return this.issuers.change(caller, id, body, precondition);
  }

  /**
   * Trusts an issuer no more.
   *
   * Sessions it vouched for end at once; members it brought in stay.
   */
  @Delete(':id')
  @Policy({ any: ['admin:settings'], stepUp: true })
  @HasId()
  @Deletes()
  @HonoursIfMatch()
  @Problems('precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.issuers.remove(id, precondition);
  }

  /**
   * Tries an issuer, and a token of it.
   *
   * Fetches its keys now. With a token: what it says, and whom it would let in with which roles. Nothing is stored. 422
   * when the issuer can not be asked or the token is none of its own, with the reason.
   */
  @Post(':id/test')
  @HttpCode(200)
  @Policy({ any: ['admin:settings'] }, { log: 'shape' })
  @AnswersSecret()
  @HasId()
  @Returns(IssuerTrialView, 'What the issuer answers.')
  @Problems('unprocessable_content')
  test(@PathId() id: string, @FromBody() { token }: TestIssuer): Promise<IssuerTrial> {
    return this.issuers.test(id, token ?? undefined);
  }
}

@ApiTags('Sign-in')
@Controller('auth')
export class ExchangeController {
  constructor(private readonly exchanges: ExchangeService) {}

  /**
   * Signs a person in by the token of an OpenID provider that the workspace trusts.
   *
   * The session opens this workspace alone. 401 for every token that is not accepted, whatever is wrong with it; 403
   * `tenant_forbidden` when the person is no member and the provider may not make members; 409 `limit_reached` when a
   * new member finds no seat.
   */
  @Post('exchange')
  @Named('exchangeToken')
  @Public('the token of the issuer is the credential', { rate: 'auth', log: 'none' })
  @Returns(SignedInView, 'Signed in.')
  @Problems('unauthenticated', 'tenant_forbidden', 'limit_reached')
  exchange(
    @FromBody() { token, ws_id }: ExchangeBody,
    @Ip() ip: string,
    @Headers('user-agent') agent: string | undefined,
  ): Promise<SignedIn> {
    return this.exchanges.exchange(token, ws_id, { ip, agent });
  }
}
