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
   * Returns a short-lived access token and a single-use refresh token, or, if a second factor is set up, a token for `POST /auth/mfa`.
   * A wrong address and a wrong password return the same error. Five failed attempts on an account from one network (an IPv6 address
   * counts by its /64) within 15 minutes pause sign-in from there; the pause doubles each time up to an hour (429 with `Retry-After`).
   * Fifty failed attempts from networks that never signed in block such networks for an hour. Networks that did sign in, and devices
   * that send their `device_token`, are counted separately. Resetting the password by mail unblocks the account.
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
   * Completes a sign-in with a code.
   *
   * Accepts six digits of the authenticator, each code once, or a recovery code, which can be used once. Five wrong codes end the
   * sign-in.
   */
  @Post('mfa')
  @Named('completeLogin')
  @Public('the token of the first step is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Returns(SignedInView, 'Signed in.')
  @Problems('unauthenticated', 'gone', 'rate_limited')
  mfa(@FromBody() { mfa_token, code }: MfaBody, @Ip() ip: string, @Headers('user-agent') agent: string | undefined): Promise<SignedIn> {
    return this.signIn.completeLogin(mfa_token, code, { ip, agent });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens.
   *
   * The previous refresh token is used up. Presenting a used token again ends the session. Of two concurrent requests, one succeeds
   * and the other returns 409 `idempotency_in_progress`. With an `Idempotency-Key`, a lost response can be fetched again for a minute.
   */
  @Post('refresh')
  @Named('refreshToken')
  @Public('the refresh token is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key with the same token returns the same pair for 60 seconds.',
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
    const { answer, replayed } = await this.refreshing.refreshSession({
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
   * Identify it by its refresh token, or send its access token as the bearer token. Its tokens are refused from the next request on.
   */
  @Post('logout')
  @Named('logout')
  @Public('ends whatever session the token names', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @Deletes()
  logout(@FromBody() { refresh_token }: LogoutBody, @Headers('authorization') authorization: string | undefined): Promise<void> {
    return this.signIn.logout(refresh_token, authorization);
  }

  /**
   * Lists your workspaces.
   *
   * Sorted by name; without `limit`, one page contains up to 1,000. With an API key, only the workspace of the key is listed.
   */
  @Get('workspaces')
  @Named('listMyWorkspaces')
  @Policy(self, { tenantless: true })
  @Returns(OwnWorkspacePage, 'The workspaces.')
  async workspaces(@Caller() caller: Principal, @Query() query: ListOwnWorkspaces): Promise<Page<OwnWorkspace>> {
    return pageOfRows(OwnWorkspaceView, await this.sessions.listWorkspaces(caller), query, ({ ws_id }) => ws_id);
  }
}
