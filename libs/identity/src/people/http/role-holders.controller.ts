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
   * Lists the users who have the role.
   *
   * As `GET /admin/users` does: newest first, removed ones only when asked for.
   */
  @Get(':id/users')
  @Policy({ any: ['admin:roles', 'admin:users'] })
  @HasId()
  @Returns(UserPage, 'A page of users.')
  users(@PathId() id: string, @Query() query: ListRoleUsers): Promise<Page<RoleHolder>> {
    return this.holders.list(id, query);
  }

  /**
   * Gives the role to users.
   *
   * You must hold everything the role allows and everything these users may do. Ids of nobody here are skipped; a user
   * has at most 20 roles.
   */
  @Post(':id/users')
  @Named('assignRole')
  @Policy({ any: ['admin:roles'] })
  @HasId()
  @Returns(ChangedUsers, 'How many have it now and had it not before.')
  @Problems('limit_reached')
  give(@Caller() caller: Principal, @PathId() id: string, @FromBody() { user_ids }: RoleUserIds): Promise<{ changed: number }> {
    return this.holders.give(caller, id, user_ids);
  }

  /**
   * Takes the role from users.
   *
   * Ids of nobody here are skipped. At least one active person keeps the role owner.
   */
  @Delete(':id/users')
  @Named('unassignRole')
  @Policy({ any: ['admin:roles'] })
  @HasId()
  @Returns(ChangedUsers, 'How many had it and have it no longer.')
  @Problems('invalid_state')
  take(@Caller() caller: Principal, @PathId() id: string, @FromBody() { user_ids }: RoleUserIds): Promise<{ changed: number }> {
    return this.holders.take(caller, id, user_ids);
  }
}
