import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { RoleHoldersService, type RoleHolder } from '../application/role-holders.service';
import { ChangedUsers, ListRoleUsers, RoleUserIds } from './role-holders.dto';
import { UserPage } from './users.dto';

/** Who has a role: the routes of its users, under the role. */
@ApiTags('Roles')
@Controller('admin/roles')
export class RoleHoldersController {
  constructor(private readonly holders: RoleHoldersService) {}

  /**
   * Lists the users who have a role.
   *
   * Sorted by creation time, newest first. Removed users are included only with `user_status=removed`.
   */
  @Get(':id/users')
  @Policy({ any: ['admin:roles', 'admin:users'] })
  @HasId()
  @Returns(UserPage, 'A page of users.')
  users(@PathId() id: string, @Query() query: ListRoleUsers): Promise<Page<RoleHolder>> {
    return this.holders.list(id, query);
  }

  /**
   * Assigns a role to users.
   *
   * You must hold every permission of the role and of these users. Unknown ids are skipped. A user can have at most 20 roles.
   */
  @Post(':id/users')
  @Named('assignRole')
  @Policy({ any: ['admin:roles'] })
  @HasId()
  @Returns(ChangedUsers, 'Number of users to whom the role was added.')
  @Problems('limit_reached')
  give(@Caller() caller: Principal, @PathId() id: string, @FromBody() { user_ids }: RoleUserIds): Promise<{ changed: number }> {
    return this.holders.assignRole(caller, id, user_ids);
  }

  /**
   * Removes a role from users.
   *
   * Unknown ids are skipped. At least one active person keeps the role owner.
   */
  @Delete(':id/users')
  @Named('unassignRole')
  @Policy({ any: ['admin:roles'] })
  @HasId()
  @Returns(ChangedUsers, 'Number of users from whom the role was removed.')
  @Problems('invalid_state')
  take(@Caller() caller: Principal, @PathId() id: string, @FromBody() { user_ids }: RoleUserIds): Promise<{ changed: number }> {
    return this.holders.unassignRole(caller, id, user_ids);
  }
}
