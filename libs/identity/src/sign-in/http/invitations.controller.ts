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
    return this.invitations.getInvitation(token);
  }

  /**
   * Accepts an invitation and signs the person in.
   *
   * If no account with the address exists, the link is sufficient: an account with the given password is created, and the session is
   * valid in this workspace. If `needs_sign_in`, the person proves their identity with the bearer token of a session or with their
   * password; with a second factor, the response is a token for `POST /auth/mfa`, which completes the acceptance. Otherwise 401, and
   * nothing changes. The link can be used once.
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
    return this.invitations.acceptInvitation(body, { ip, agent }, authorization);
  }
}
