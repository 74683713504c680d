import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { SpaceMember } from './space';
import { SpaceMembersService } from './space-members.service';
import {
  AddSpaceMember,
  ChangeSpace,
  ChangeSpaceMember,
  CreateSpace,
  ListSpaceMembers,
  ListSpaces,
  SpaceMemberPage,
  SpaceMemberView,
  SpacePage,
  SpaceView,
} from './spaces.dto';
import { SpacesService, type SpaceAnswer, type VersionedSpaceAnswer } from './spaces.service';

@ApiTags('Spaces')
@Controller('spaces')
export class SpacesController {
  constructor(
    private readonly spaces: SpacesService,
    private readonly members: SpaceMembersService,
  ) {}

  /**
   * Lists the spaces that you are in, directly or by a role.
   *
   * The newest come first; `space:view` is required. Deleted spaces are listed only with `space_active=false`. With
   * `all=true`, administrators of people see every space. Of spaces that they are not in, or of all spaces without
   * `space:view`, only the name, the number of members and their own role are returned; all other fields are null or
   * empty.
   */
  @Get()
  @Policy({ any: ['space:view', 'admin:users'] })
  @Returns(SpacePage, 'A page of spaces.')
  list(@Caller() caller: Principal, @Query() query: ListSpaces): Promise<Page<SpaceAnswer>> {
    return this.spaces.list(caller, query);
  }

  /**
   * Creates a space.
   *
   * You become its owner. Fails with 409 if an active space has the same name.
   */
  @Post()
  @Policy({ all: ['space:create'] })
  @Creates(SpaceView, 'spaces/{space_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreateSpace): Promise<VersionedSpaceAnswer> {
    return this.spaces.create(caller, body);
  }

  /**
   * Reads a space that you are in.
   *
   * A deleted space is returned with `space_active` false to its members, until they leave it or are removed. Members by a role are those
   * who have the role now.
   */
  @Get(':id')
  @Policy({ any: ['space:view'] })
  @HasId('id', 'Id of the space.')
  @ReturnsState(SpaceView, 'The space.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedSpaceAnswer> {
    return this.spaces.get(caller, id);
  }

  /**
   * Changes a space.
   *
   * Omitted fields stay as they are. Requires the role editor or owner in the space. A deleted space cannot be changed
   * (409).
   */
  @Patch(':id')
  @Policy({ all: ['space:edit'] })
  @HasId('id', 'Id of the space.')
  @HonoursIfMatch()
  @ReturnsState(SpaceView, 'The space.')
  @Problems('already_exists', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeSpace,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedSpaceAnswer> {
    return this.spaces.change(caller, id, body, precondition);
  }

  /**
   * Deletes a space.
   *
   * Threads that were shared in it become private to their owners. A space cannot be restored. Its members can still read and leave it
   * until it is removed, after the days of the retention policy `threads_inactive`. Requires the role owner in the space.
   */
  @Delete(':id')
  @Policy({ all: ['space:delete'] })
  @HasId('id', 'Id of the space.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.spaces.remove(caller, id, precondition);
  }

  /**
   * Lists the members of a space.
   *
   * Available to all members of the space and to administrators of people, also if the space is deleted.
   */
  @Get(':id/members')
  @Policy({ any: ['space:view', 'admin:users'] })
  @HasId('id', 'Id of the space.')
  @Returns(SpaceMemberPage, 'The members.')
  async listMembers(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListSpaceMembers): Promise<Page<SpaceMember>> {
    return pageOfRows(SpaceMemberView, await this.members.list(caller, id), query, ({ sm_principal }) => sm_principal);
  }

  /**
   * Adds a person or a role to a space.
   *
   * Requires the role owner in the space and `space:edit`. If none of its owners is left in the workspace, an
   * administrator of people can add one. Fails with 409 if the person or role is already in the space.
   */
  @Post(':id/members')
  @Policy({ any: ['space:edit', 'admin:users'] })
  @HasId('id', 'Id of the space.')
  @Creates(SpaceMemberView, 'spaces/{sm_space}/members')
  @Problems('already_exists', 'limit_reached')
  async addMember(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: AddSpaceMember): Promise<SpaceMember> {
    return this.members.create(caller, id, body);
  }

  /**
   * Changes the role of a member of a space.
   *
   * Requires the role owner in the space and `space:edit`. If none of its owners is left in the workspace, an
   * administrator of people can make a member its owner. The role of the last owner cannot be changed (409
   * `invalid_state`).
   */
  @Patch(':id/members/:member_id')
  @Policy({ any: ['space:edit', 'admin:users'] })
  @HasId('id', 'Id of the space.')
  @HasId('member_id', 'Id of the person or the role.')
  @Returns(SpaceMemberView, 'The member.')
  @Problems('invalid_state')
  changeMember(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('member_id') member: string,
    @FromBody() { sm_role }: ChangeSpaceMember,
  ): Promise<SpaceMember> {
    return this.members.changeRole(caller, id, member, sm_role);
  }

  /**
   * Removes a member from a space.
   *
   * Every member can leave a space; removing others requires the role owner in the space and `space:edit`. The last
   * owner cannot leave or be removed (409 `invalid_state`), unless the space is deleted. Administrators of people can
   * remove the members of a deleted space.
   */
  @Delete(':id/members/:member_id')
  @Policy({ any: ['space:view', 'admin:users'] })
  @HasId('id', 'Id of the space.')
  @HasId('member_id', 'Id of the person or the role.')
  @Deletes()
  @Problems('invalid_state')
  removeMember(@Caller() caller: Principal, @PathId() id: string, @PathId('member_id') member: string): Promise<void> {
    return this.members.remove(caller, id, member);
  }
}
