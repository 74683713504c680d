import { Body as FromBody, Controller, Get, Headers, HttpCode, Ip, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, Public, self } from '@atrium/platform/access';
import type { Page, Precondition, Versioned } from '@atrium/platform/database';
import { Deletes, HonoursIfMatch, IfMatch, Problems, Returns, ReturnsEither, ReturnsState } from '@atrium/platform/http';
import { InvitationsService, type InvitationView } from '../../sign-in/application/invitations.service';
import { MembershipService, type DirectoryRow } from '../application/membership.service';
import type { SignedIn } from '../../sign-in/application/sessions';
import type { MfaRequired } from '../../sign-in/application/sign-in.service';
import { MeUserView, MfaRequiredView, SignedInView } from '../../sign-in/http/auth.dto';
import { AcceptInvitation, ChangeMe, DirectoryPage, InvitationShown, ListDirectory } from './users.dto';

@ApiTags('Users')
@Controller('users')
export class DirectoryController {
  constructor(private readonly membership: MembershipService) {}

  /**
   * Lists active members by name, for pickers and names.
   *
   * Without e-mail addresses: those are for administrators.
   */
  @Get()
  @Named('listMembers')
  @Policy(self)
  @Returns(DirectoryPage, 'A page of members.')
  list(@Query() query: ListDirectory): Promise<Page<DirectoryRow>> {
    return this.membership.directory(query);
  }
}

@ApiTags('Me')
@Controller('me')
export class MyMembershipController {
  constructor(private readonly membership: MembershipService) {}

  /**
   * Changes the caller's own name, title, picture, language, time zone and preferences.
   *
   * Only the fields present are applied. `user_pref` is merged: its members are replaced one by one, null removes one.
   */
  @Patch()
  @Named('updateMe')
  @Policy(self, { byKey: 'refused' })
  @ReturnsState(MeUserView, 'The membership as it is now.')
  @HonoursIfMatch()
  @Problems('permission_denied', 'precondition_failed')
  change(@Caller() caller: Principal, @FromBody() body: ChangeMe, @IfMatch() precondition?: Precondition): Promise<Versioned> {
    return this.membership.change(caller, body, precondition);
  }

  /**
   * Leaves the workspace.
   *
   * What the person made stays. The last owner can not leave.
   */
  @Post('leave')
  @Named('leaveWorkspace')
  @Policy(self, { byKey: 'refused' })
  @Deletes()
  @Problems('invalid_state', 'permission_denied')
  leave(@Caller() caller: Principal): Promise<void> {
    return this.membership.leave(caller);
  }
}

@ApiTags('Sign-in')
@Controller('auth/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /**
   * Shows an invitation to whoever holds its link.
   */
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
  @Public('the link is the credential', { rate: 'auth', log: 'none' })
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
