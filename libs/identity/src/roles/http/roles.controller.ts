import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { PermissionCatalog, type PermissionLine } from '../application/permission-catalog';
import { RolePreviewService, type RolePreview } from '../application/role-preview.service';
import { RolesService, type RoleAnswer, type RoleLine, type RoleNameLine } from '../application/roles.service';
import {
  ChangeRole,
  CopyRole,
  CreateRole,
  DeleteRole,
  ListPermissions,
  ListRoleNames,
  ListRoles,
  ListUnusedPermissions,
  PermissionPage,
  PermissionView,
  RehearseRole,
  RoleNamePage,
  RolePage,
  RoleRehearsalView,
  RoleView,
} from './roles.dto';

const UNUSED_DAYS = 90;

@ApiTags('Roles')
@Controller()
export class RoleDirectoryController {
  constructor(
    private readonly roles: RolesService,
    private readonly catalog: PermissionCatalog,
  ) {}

  /**
   * Lists all permissions.
   *
   * The catalog is fixed; without `limit`, one page contains all of it. Each permission lists the operations that require it.
   */
  @Get('permissions')
  @Policy(self)
  @Returns(PermissionPage, 'The permissions of the catalog or of one area.')
  permissions(@Query() query: ListPermissions): Page<PermissionLine> {
    return pageOfRows(PermissionView, this.catalog.listPermissions(), query, ({ perm }) => perm);
  }

  /**
   * Lists the names of roles.
   *
   * For choosing with whom to share. `GET /admin/roles` lists roles with their permissions.
   */
  @Get('roles')
  @Named('listRoleNames')
  @Policy(self)
  @Returns(RoleNamePage, 'A page of role names.')
  names(@Query() query: ListRoleNames): Promise<Page<RoleNameLine>> {
    return this.roles.listRoleNames(query);
  }
}

@ApiTags('Roles')
@Controller('admin/roles')
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly rehearsal: RolePreviewService,
  ) {}

  /**
   * Lists roles with their permissions and number of users.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Policy({ any: ['admin:roles', 'admin:users'] })
  @Returns(RolePage, 'A page of roles.')
  list(@Query() query: ListRoles): Promise<Page<RoleLine>> {
    return this.roles.list(query);
  }

  /**
   * Creates a role.
   *
   * You can grant only permissions that you hold; `*` requires a role that contains `*`. A new default role replaces the previous one.
   */
  @Post()
  @Policy({ any: ['admin:roles'], log: 'full' })
  @Creates(RoleView, 'admin/roles/{role_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreateRole): Promise<RoleAnswer> {
    return this.roles.create(caller, body);
  }

  /**
   * Previews a change of a role.
   *
   * Lists the members who would gain or lose permissions, the number of API keys affected and the operations that would become
   * available or unavailable. Nothing is stored.
   */
  @Post('preview')
  @Named('previewRole')
  @Policy({ any: ['admin:roles'], rate: 'admin-report', log: 'full' })
  @Returns(RoleRehearsalView, 'Effects of the change.')
  @Problems('invalid_state')
  preview(@FromBody() { role_id, role_permissions }: RehearseRole): Promise<RolePreview> {
    return this.rehearsal.previewRole(role_id, role_permissions);
  }

  /**
   * Reads a role.
   */
  @Get(':id')
  @Policy({ any: ['admin:roles'] })
  @HasId()
  @ReturnsResource(RoleView)
  get(@PathId() id: string): Promise<RoleAnswer> {
    return this.roles.get(id);
  }

  /**
   * Changes a role.
   *
   * The new permissions apply from the next request of its users on. You must hold every permission that the role had and will have.
   * The permissions of the role owner cannot be changed.
   */
  @Patch(':id')
  @Policy({ any: ['admin:roles'], log: 'full' })
  @HasId()
  @HonoursIfMatch()
  @ReturnsResource(RoleView)
  @Problems('already_exists', 'invalid_state')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeRole,
    @IfMatch() precondition?: Precondition,
  ): Promise<RoleAnswer> {
    return this.roles.change(caller, id, body, precondition);
  }

  /**
   * Deletes a role.
   *
   * If users have it or it is the default, name a replacement. Access lists that name the role are not changed, and the entry no
   * longer matches anyone.
   */
  @Delete(':id')
  @Policy({ any: ['admin:roles'] })
  @HasId()
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'invalid_state')
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { replace_with }: DeleteRole,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.roles.remove(caller, id, replace_with, precondition);
  }

  /**
   * Copies a role under another name.
   */
  @Post(':id/copy')
  @Policy({ any: ['admin:roles'], log: 'full' })
  @HasId()
  @Creates(RoleView, 'admin/roles/{role_id}')
  @Problems('already_exists')
  copy(@Caller() caller: Principal, @PathId() id: string, @FromBody() { role_name }: CopyRole): Promise<RoleAnswer> {
    return this.roles.copy(caller, id, role_name);
  }

  /**
   * Lists the permissions of a role that none of its members has used recently.
   *
   * Evaluates the access log of the last `days` (90 by default) for all members who have the role. Removing the listed permissions
   * from `role_permissions` would have affected none of their requests. Without `limit`, one page contains all of them.
   */
  @Get(':id/unused')
  @Named('listUnusedRolePermissions')
  @Policy({ any: ['admin:roles'], rate: 'admin-report' })
  @HasId()
  @Returns(PermissionPage, 'The unused permissions.')
  async unused(@PathId() id: string, @Query() { days = UNUSED_DAYS, ...query }: ListUnusedPermissions): Promise<Page<PermissionLine>> {
    return pageOfRows(PermissionView, await this.rehearsal.listUnusedPermissions(id, days), query, ({ perm }) => perm);
  }
}
