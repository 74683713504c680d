import { Body as FromBody, Controller, Get, Headers, HttpCode, Ip, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Named, Public, SIGN_IN_BODY } from '@atrium/platform/access';
import { Problems, Returns, ReturnsEither } from '@atrium/platform/http';
import { InvitationAcceptanceService, type InvitationView } from '../application/invitation-acceptance.service';
import type { SignedIn } from '../application/sessions';
import type { MfaRequired } from '../application/sign-in.service';
import { MfaRequiredView, SignedInView } from './auth.dto';
import { AcceptInvitation, InvitationShown } from './invitations.dto';

@ApiTags('Sign-in')
@Controller('auth/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationAcceptanceService) {}

  /** Reads an invitation by its link. */
  @Get(':token')
  @Named('getInvitation')
  @Public('the link is the credential', { rate: 'auth', log: 'none' })
  @ApiParam({ name: 'token', description: 'Token of the link.', schema: { type: 'string' } })
  @Returns(InvitationShown, 'The invitation.')
  @Problems('not_found', 'gone', 'tenant_forbidden')
  look(@Param('token') token: string): Promise<InvitationView> {
    return this.invitations.look(token);
  }

  /**
   * Accepts an invitation and signs the person in.
   *
   * The link alone opens an account that is nobody's yet: it gets the password that is sent, and the session opens this
   * workspace. Where `needs_sign_in`, the person shows who they are: by the bearer of a session of theirs, or by their
   * password; with a second factor the answer is then a token for `POST /auth/mfa`, which completes the acceptance. 401
   * without that, and nothing changes. The link is good for one use.
   */
  @Post('accept')
  @Named('acceptInvitation')
  @HttpCode(200)
  @Public('the link is the credential', { rate: 'auth', log: 'none', body: SIGN_IN_BODY })
  @ReturnsEither([SignedInView, MfaRequiredView], 'Accepted and signed in, or a code is needed.')
  @Problems('unauthenticated', 'permission_denied', 'not_found', 'gone', 'tenant_forbidden')
  accept(
    @FromBody() body: AcceptInvitation,
    @Ip() ip: string,
    @Headers('user-agent') agent: string | undefined,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<SignedIn | MfaRequired> {
    return this.invitations.accept(body, { ip, agent }, authorization);
  }
}
