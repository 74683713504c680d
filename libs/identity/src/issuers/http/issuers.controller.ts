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
   * Adds an OpenID provider as a trusted issuer.
   *
   * Its discovery document and keys are fetched immediately: 422 when they cannot be fetched or name another issuer, 400 when an
   * address does not lead to a public host. The e-mail domains it may vouch for are required unless it only signs in people who are
   * already linked. You must be allowed to assign the roles in its role map, and it cannot sign in a person who has more permissions
   * than you.
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
  get(@PathId() id: string): Promise<IssuerAnswer> {
    return this.issuers.get(id);
  }

  /**
   * Changes an issuer.
   *
   * Only fields in the request are changed. A new address is checked as on creation. Changing `iss_issuer` removes its links to
   * members. Changing `iss_issuer` or deactivating the issuer ends the sessions it created.
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
   * Deletes an issuer.
   *
   * Its sessions end immediately. Members it created remain.
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
   * Tests an issuer, and optionally one of its tokens.
   *
   * Fetches the keys of the issuer. With a token, the response lists its claims, the person it would sign in and the roles it would
   * assign. Nothing is stored. 422, with the reason, when the issuer cannot be reached or did not issue the token.
   */
  @Post(':id/test')
  @HttpCode(200)
  @Policy({ any: ['admin:settings'] }, { log: 'shape' })
  @AnswersSecret()
  @HasId()
  @Returns(IssuerTrialView, 'Result of the test.')
  @Problems('unprocessable_content')
  test(@PathId() id: string, @FromBody() { token }: TestIssuer): Promise<IssuerTrial> {
    return this.issuers.testIssuer(id, token ?? undefined);
  }
}

@ApiTags('Sign-in')
@Controller('auth')
export class ExchangeController {
  constructor(private readonly exchanges: ExchangeService) {}

  /**
   * Exchanges a token of a trusted OpenID provider for a session.
   *
   * The session is valid in this workspace only. 401 for every token that is not accepted, whatever the reason; 403 `tenant_forbidden`
   * when the person is not a member and the provider may not create members; 409 `limit_reached` when no seat is free for a new
   * member.
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
    return this.exchanges.exchangeToken(token, ws_id, { ip, agent });
  }
}
