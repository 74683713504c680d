import { Body as FromBody, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import type { Page, Precondition, Versioned } from '@atrium/platform/database';
import { Deletes, HonoursIfMatch, IfMatch, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { MembershipService, type DirectoryRow } from '../application/membership.service';
import { MeUserView } from './me.dto';
import { ChangeMe, DirectoryPage, ListDirectory } from './users.dto';

@ApiTags('Users')
@Controller('users')
export class DirectoryController {
  constructor(private readonly membership: MembershipService) {}

  /**
   * Lists active members by name, for pickers and display names.
   *
   * Without e-mail addresses, which only administrators can read.
   */
  @Get()
  @Named('listMembers')
  @Policy(self)
  @Returns(DirectoryPage, 'A page of members.')
  list(@Query() query: ListDirectory): Promise<Page<DirectoryRow>> {
    return this.membership.listDirectory(query);
  }
}

@ApiTags('Me')
@Controller('me')
export class MyMembershipController {
  constructor(private readonly membership: MembershipService) {}

  /**
   * Changes your own name, title, picture, language, time zone and preferences.
   *
   * Only fields in the request are changed. `user_pref` is merged: its members are replaced one by one, and null removes one.
   */
  @Patch()
  @Named('updateMe')
  @Policy(self, { byKey: 'refused' })
  @ReturnsState(MeUserView, 'The changed membership.')
  @HonoursIfMatch()
  @Problems('permission_denied', 'precondition_failed')
  change(@Caller() caller: Principal, @FromBody() body: ChangeMe, @IfMatch() precondition?: Precondition): Promise<Versioned> {
    return this.membership.change(caller, body, precondition);
  }

  /**
   * Leaves the workspace.
   *
   * Content you created remains. The last owner cannot leave.
   */
  @Post('leave')
  @Named('leaveWorkspace')
  @Policy(self, { byKey: 'refused' })
  @Deletes()
  @Problems('invalid_state', 'permission_denied')
  leave(@Caller() caller: Principal): Promise<void> {
    return this.membership.leaveWorkspace(caller);
  }
}
