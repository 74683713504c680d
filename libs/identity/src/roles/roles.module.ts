import { Module, type Provider } from '@nestjs/common';
import { AccessModule } from '@atrium/platform/access';
import { Escalation } from './application/escalation';
import { PermissionCatalog } from './application/permission-catalog';
import { RolePreviewService } from './application/role-preview.service';
import { RolesService } from './application/roles.service';
import { RoleDirectoryController, RolesController } from './http/roles.controller';
import { RoleChanges } from './infrastructure/role-changes';
import { RolesRepository } from './infrastructure/roles.repository';

const ROLES: Provider[] = [Escalation, RoleChanges, RolesRepository, RolesService];

/** Roles: what they allow, and that nobody rises by what they may change. */
@Module({ providers: ROLES, exports: ROLES })
export class RolesModule {}

/** Its routes, and what reads the table of all routes, which only the API has. */
@Module({
  imports: [RolesModule, AccessModule],
  controllers: [RoleDirectoryController, RolesController],
  providers: [PermissionCatalog, RolePreviewService],
  exports: [PermissionCatalog],
})
export class RolesHttpModule {}
