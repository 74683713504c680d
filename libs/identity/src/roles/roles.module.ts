import { Module } from '@nestjs/common';
import { AccessModule } from '@atrium/platform/access';
import { AccessExplanationService } from '../explanation/access-explanation.service';
import { PermissionCatalog } from './application/permission-catalog';
import { RoleHoldersService } from '../people/application/role-holders.service';
import { RoleRehearsalService } from './application/role-rehearsal.service';
import { RolesService } from './application/roles.service';
import { AccessController } from '../explanation/access.controller';
import { RoleDirectoryController, RolesController } from './http/roles.controller';
import { AskedCallers } from '../explanation/asked-callers';
import { PeopleHttpModule } from '../people/people.module';
import { RoleChanges } from './infrastructure/role-changes';
import { RolesRepository } from './infrastructure/roles.repository';

/** Roles: what they allow, who has them, what a change would do. */
@Module({
  imports: [AccessModule, PeopleHttpModule],
  controllers: [RoleDirectoryController, RolesController, AccessController],
  providers: [
    RolesRepository,
    RoleChanges,
    RolesService,
    RoleHoldersService,
    RoleRehearsalService,
    PermissionCatalog,
    AskedCallers,
    AccessExplanationService,
  ],
  exports: [PermissionCatalog, RolesRepository],
})
export class RolesHttpModule {}
