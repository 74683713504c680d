import { Body as FromBody, Controller, Get, Headers, Ip, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, Public, self, SIGN_IN_BODY } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Deletes, Problems, Returns, ReturnsEither } from '@atrium/platform/http';
import { OwnSessionsService, type OwnWorkspace } from '../application/own-sessions.service';
import { RefreshService } from '../application/refresh.service';
import type { SignedIn } from '../application/sessions';
import { SignInService, type MfaRequired } from '../application/sign-in.service';
import type { Response } from 'express';
import {
  ListOwnWorkspaces,
  LoginBody,
  LogoutBody,
  MfaBody,
  MfaRequiredView,
  OwnWorkspacePage,
  OwnWorkspaceView,
  RefreshBody,
  SignedInView,
} from './auth.dto';

@ApiTags('Sign-in')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly signIn: SignInService,
    private readonly refreshing: RefreshService,
    private readonly sessions: OwnSessionsService,
  ) {}

  /**
   * Signs a person in.
   *
   * Answers a short-lived access token and a refresh token that is good for one use; where a second factor is enrolled,
   * a token for `POST /auth/mfa` instead. A wrong address and a wrong password answer alike. Five failures for an account
   * from one network (an IPv6 address counts by its /64) within 15 minutes begin a pause there, which doubles each time up to
   * an hour (429 with `Retry-After`). Fifty from networks that never signed in shut such networks out for an hour; those
   * that did, and devices that send their `device_token`, have a budget of their own. A reset by mail opens the account again.
   */
  @Post('login')
  @Named('login')
  @Public('this is where callers get their token', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @ReturnsEither([SignedInView, MfaRequiredView], 'Signed in, or a code is needed.')
  @Problems('unauthenticated', 'tenant_forbidden', 'rate_limited')
  login(@FromBody() body: LoginBody, @Ip() ip: string, @Headers('user-agent') agent: string | undefined): Promise<SignedIn | MfaRequired> {
    return this.signIn.login(body, { ip, agent });
  }

  /**
   * Finishes a sign-in with a code.
   *
   * Takes six digits of the authenticator, each accepted once, or a recovery code, which is spent. Five wrong codes end
   * the sign-in.
   */
  @Post('mfa')
  @Named('completeLogin')
  @Public('the token of the first step is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Returns(SignedInView, 'Signed in.')
  @Problems('unauthenticated', 'gone', 'rate_limited')
  mfa(@FromBody() { mfa_token, code }: MfaBody, @Ip() ip: string, @Headers('user-agent') agent: string | undefined): Promise<SignedIn> {
    return this.signIn.finish(mfa_token, code, { ip, agent });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens.
   *
   * The old one is spent. Presenting a spent token again ends the session; of two requests in flight at once one wins
   * and the other answers 409 `idempotency_in_progress`. With an `Idempotency-Key` a lost answer can be fetched again for
   * a minute.
   */
  @Post('refresh')
  @Named('refreshToken')
  @Public('the refresh token is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key with the same token answers the same pair for 60 seconds.',
    schema: { type: 'string', maxLength: 255 },
  })
  @Returns(SignedInView, 'Refreshed.')
  @Problems('unauthenticated', 'idempotency_in_progress')
  async refresh(
    @FromBody() { refresh_token }: RefreshBody,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Ip() address: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedIn> {
    const { answer, replayed } = await this.refreshing.refresh({
      token: refresh_token,
      arrived: performance.now(),
      idempotencyKey,
      address,
    });
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return answer;
  }

  /**
   * Ends a session.
   *
   * Name it by its refresh token, or send its access token as the bearer. Its tokens are refused from the next request on.
   */
  @Post('logout')
  @Named('logout')
  @Public('ends whatever session the token names', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Deletes()
  logout(@FromBody() { refresh_token }: LogoutBody, @Headers('authorization') authorization: string | undefined): Promise<void> {
    return this.signIn.logout(refresh_token, authorization);
  }

  /**
   * Lists the workspaces of the caller.
   *
   * By name; without `limit` one page holds up to 1,000. A key sees the one it belongs to.
   */
  @Get('workspaces')
  @Named('listMyWorkspaces')
  @Policy(self, { tenantless: true })
  @Returns(OwnWorkspacePage, 'The workspaces.')
  async workspaces(@Caller() caller: Principal, @Query() query: ListOwnWorkspaces): Promise<Page<OwnWorkspace>> {
    return pageOfRows(OwnWorkspaceView, await this.sessions.workspaces(caller), query, ({ ws_id }) => ws_id);
  }
}
