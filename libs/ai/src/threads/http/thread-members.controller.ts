import { Body as FromBody, Controller, Delete, Get, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Deletes, HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { ThreadMembers } from '../application/thread-members';
import type { ThreadMember } from '../domain/thread-member';
import { AddMember, ListThreadMembers, MemberPage, MemberView } from './threads.dto';

@ApiTags('Threads')
@Controller('threads/:id/members')
export class ThreadMembersController {
  constructor(private readonly members: ThreadMembers) {}

  /**
   * Lists the members of a thread with their access levels.
   *
   * The owner comes first, followed by people, roles and spaces.
   */
  @Get()
  @Named('listThreadMembers')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @Returns(MemberPage, 'A page of members.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListThreadMembers): Promise<Page<ThreadMember>> {
    return this.members.listMembers(caller, id, query);
  }

  /**
   * Adds a member to a thread, or changes the access level of a member.
   *
   * Returns 201 for a new member and 200 for an existing one. A thread can have at most 100 members in addition to
   * its owner.
   */
  @Post()
  @Named('addThreadMember')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @Returns(MemberView, 'The member whose access level was changed.')
  @ApiResponse({ status: 201, type: MemberView, description: 'The new member.' })
  @Problems('limit_reached')
  async add(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: AddMember,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ThreadMember> {
    const { member, isNew } = await this.members.addMember(caller, id, body);
    if (isNew) response.status(201);
    return member;
  }

  /**
   * Removes a member from a thread.
   *
   * All members can remove themselves. An owner who leaves transfers the thread to another owner among its members;
   * the last owner cannot leave (409 `invalid_state`).
   */
  @Delete(':member_id')
  @Named('removeThreadMember')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @HasId('member_id', 'Id of the person, role or space.')
  @Deletes()
  @Problems('invalid_state')
  remove(@Caller() caller: Principal, @PathId() id: string, @PathId('member_id') member_id: string): Promise<void> {
    return this.members.removeMember(caller, id, member_id);
  }
}
