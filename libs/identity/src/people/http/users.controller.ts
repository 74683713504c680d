import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  AnswersSecret,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  JobView,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
  Starts,
} from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import { ContentTransfer } from '../application/content-transfer';
import { InvitationsService } from '../application/invitations.service';
import { MembersService } from '../application/members.service';
import { UsersService, type UserDetail, type UserRow } from '../application/users.service';
import {
  BulkResults,
  ChangeUser,
  CreateUser,
  CreateUsers,
  EndedSessions,
  InvitedUserView,
  ListUsers,
  Reason,
  TransferTo,
  UserDetailView,
  UserPage,
} from './users.dto';

@ApiTags('Users')
@Controller('admin/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly transfers: ContentTransfer,
  ) {}

  /**
   * Lists members with their roles.
   *
   * Sorted by creation time, newest first. Removed members are included only with `user_status=removed`.
   */
  @Get()
  @Policy({ any: ['admin:users'] })
  @Returns(UserPage, 'A page of members.')
  list(@Query() query: ListUsers): Promise<Page<UserRow>> {
    return this.users.list(query);
  }

  /**
   * Invites a person or adds a service.
   *
   * A person is mailed a link that can be used once within seven days. If no mail server is configured or `send_invite` is false, the
   * response contains the link once as `invite_url`. Someone who was removed is added again under the same id. A service is active
   * immediately and works with API keys. You must hold every permission of the assigned roles.
   */
  @Post()
  @Policy({ any: ['admin:users'] })
  @Creates(InvitedUserView, 'admin/users/{user_id}')
  @AnswersSecret()
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateUser): Promise<UserDetail> {
    return this.members.addMember(caller, body);
  }

  /**
   * Invites or adds up to 200 members.
   *
   * Each member is processed independently. The response states for each one whether it was created and, if not, why.
   */
  @Post('bulk')
  @Named('createUsers')
  @Policy({ any: ['admin:users'] })
  @Returns(BulkResults, 'Outcome for each member.')
  @AnswersSecret()
  createMany(@Caller() caller: Principal, @FromBody() { users }: CreateUsers): Promise<object> {
    return this.members.addMany(caller, users);
  }

  /** Reads one member with their active sessions, active API keys and the permissions of their roles. */
  @Get(':id')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @ReturnsResource(UserDetailView)
  get(@PathId() id: string): Promise<UserDetail> {
    return this.users.get(id);
  }

  /**
   * Changes a member.
   *
   * Only fields in the request are changed; `user_roles` replaces all roles. You must hold every permission of the member and of the
   * new roles. At least one active person must keep the role owner.
   */
  @Patch(':id')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @HonoursIfMatch()
  @ReturnsResource(UserDetailView)
  @Problems('already_exists', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeUser,
    @IfMatch() precondition?: Precondition,
  ): Promise<UserDetail> {
    return this.users.change(caller, id, body, precondition);
  }

  /**
   * Removes a member.
   *
   * Access ends with the next request and the API keys of the member are revoked. Content the member created remains, and
   * the member is returned with the status `removed`. You cannot remove yourself: use `POST /me/leave`.
   */
  @Delete(':id')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.users.remove(caller, id, precondition);
  }

  /**
   * Suspends an active member.
   *
   * From the next request on, their sessions return 403 and their API keys 401. No data is deleted.
   */
  @Post(':id/suspend')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @ReturnsResource(UserDetailView)
  @Problems('invalid_state')
  suspend(@Caller() caller: Principal, @PathId() id: string, @FromBody() { reason }: Reason): Promise<UserDetail> {
    return this.users.suspend(caller, id, reason ?? null);
  }

  /** Reactivates a suspended member if a seat is free. */
  @Post(':id/reactivate')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @ReturnsResource(UserDetailView)
  @Problems('invalid_state', 'limit_reached')
  reactivate(@Caller() caller: Principal, @PathId() id: string, @FromBody() { reason }: Reason): Promise<UserDetail> {
    return this.users.reactivate(caller, id, reason ?? null);
  }

  /**
   * Sends a new invitation and invalidates the previous link.
   *
   * At most once a minute and ten times a day for each member.
   */
  @Post(':id/invite')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @ReturnsResource(InvitedUserView)
  @AnswersSecret()
  @Problems('invalid_state', 'rate_limited')
  invite(@Caller() caller: Principal, @PathId() id: string): Promise<UserDetail> {
    return this.invitations.resend(caller, id);
  }

  /** Withdraws an invitation, removes the membership and frees its seat. */
  @Delete(':id/invite')
  @Named('withdrawInvitation')
  @Policy({ any: ['admin:users'] })
  @HasId('id', 'Id of the member.')
  @Deletes({ stays: true })
  @Problems('invalid_state')
  withdraw(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.users.withdrawInvitation(caller, id);
  }

  /** Transfers the content of a member to another one, in the background. */
  @Post(':id/transfer')
  @Named('transferUserContent')
  @Policy({ all: ['admin:users', 'admin:roles'] })
  @HasId('id', 'Id of the member whose content is transferred, who may have been removed.')
  @Starts(JobView, 'jobs/{job_id}')
  transfer(@Caller() caller: Principal, @PathId() id: string, @FromBody() { to_user }: TransferTo): Promise<Job> {
    return this.transfers.startTransfer(caller, id, to_user);
  }

  /** Ends all sessions of a person, who can sign in again. */
  @Delete(':id/sessions')
  @Named('endUserSessions')
  @Policy({ any: ['admin:users'] })
  @HttpCode(200)
  @HasId('id', 'Id of the member.')
  @Returns(EndedSessions, 'Number of sessions that were ended.')
  @Problems('invalid_state')
  endSessions(@Caller() caller: Principal, @PathId() id: string): Promise<{ revoked: number }> {
    return this.users.endSessions(caller, id);
  }

  /**
   * Removes the second factor of a person who lost it.
   *
   * Refused if the person also belongs to another workspace.
   */
  @Delete(':id/mfa')
  @Named('resetUserMfa')
  @Policy({ any: ['admin:users'], stepUp: true })
  @HasId('id', 'Id of the member.')
  @Deletes({ stays: true })
  @Problems('in_use', 'invalid_state')
  disableMfa(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.users.disableMfa(caller, id);
  }
}
