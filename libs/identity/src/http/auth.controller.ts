import { Body as FromBody, Controller, Get, Header, Headers, Ip, Post } from '@nestjs/common';
import { ApiExcludeController, ApiTags } from '@nestjs/swagger';
import { Caller, Policy, Public, self, type Principal } from '@atrium/platform/access';
import { Deletes, Problems, Returns } from '@atrium/platform/http';
import { MeService } from '../application/me.service';
import type { SignedIn } from '../application/sessions';
import { SignInService } from '../application/sign-in.service';
import { SigningKeys } from '../application/signing-keys';
import { LoginBody, LogoutBody, MeView, RefreshBody, SignedInView } from './auth.dto';

@ApiTags('Sign-in')
@Controller('auth')
export class AuthController {
  constructor(private readonly signIn: SignInService) {}

  /**
   * Signs a person in.
   *
   * Answers a short-lived access token and a refresh token that is good for one use. A wrong address and a wrong
   * password answer alike.
   */
  @Post('login')
  @Public('this is where callers get their token')
  @Returns(SignedInView, 'Signed in.')
  @Problems('unauthenticated')
  login(@FromBody() { email, password }: LoginBody, @Ip() ip: string, @Headers('user-agent') agent: string | undefined): Promise<SignedIn> {
    return this.signIn.login(email, password, { ip, agent });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens.
   *
   * The old one is spent. Presenting a spent token again ends the session; of two requests in flight at once one wins
   * and the other answers 409 `idempotency_in_progress`.
   */
  @Post('refresh')
  @Public('the refresh token is the credential')
  @Returns(SignedInView, 'Refreshed.')
  @Problems('unauthenticated', 'idempotency_in_progress')
  refresh(@FromBody() { refresh_token }: RefreshBody): Promise<SignedIn> {
    return this.signIn.refresh(refresh_token, performance.now());
  }

  /**
   * Ends a session.
   *
   * Name it by its refresh token, or send its access token as the bearer. Its tokens are refused from the next request on.
   */
  @Post('logout')
  @Public('ends whatever session the token names')
  @Deletes()
  logout(@FromBody() { refresh_token }: LogoutBody, @Headers('authorization') authorization: string | undefined): Promise<void> {
    return this.signIn.logout(refresh_token, authorization);
  }
}

@ApiTags('Me')
@Controller('me')
export class MeController {
  constructor(private readonly service: MeService) {}

  /**
   * Reads the caller: membership, roles, effective permissions and the workspace's modules.
   */
  @Get()
  @Policy(self)
  @Returns(MeView, 'The caller.')
  me(@Caller() caller: Principal): Promise<Record<string, unknown>> {
    return this.service.me(caller);
  }
}

/** The public keys that verify our access tokens. */
@ApiExcludeController()
@Controller('.well-known')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Public('public keys are public')
  @Header('Cache-Control', 'public, max-age=300')
  jwks(): Promise<object> {
    return this.keys.jwks();
  }
}
