import { AREAS, type Area } from '@atrium/platform/access';
import { Choice, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Role } from '../domain/role';

export class CreateRole extends Body(Role, {
  required: ['role_name', 'role_permissions'],
  optional: ['role_description', 'role_default'],
}) {}

export class ChangeRole extends Body(Role, { optional: ['role_name', 'role_description', 'role_permissions', 'role_default'] }) {}

export class CopyRole extends Body(Role, { required: ['role_name'] }) {}

export class ListRoles extends ListQuery(Role) {}

export class ListRoleNames extends ListQuery(Role, { without: ['role_key', 'role_created', 'role_updated'] }) {}

@Answer()
export class RoleView extends View(Role) {}

export class RolePage extends PageOf(RoleView) {}

@Answer()
class RoleNameView {
  @Ref({ about: 'Id of the role.' }) role_id!: string;
  @Text({ optional: true, about: 'Key of a built-in role. Null for other roles.', example: 'editor' }) role_key!: string | null;
  @Text({ about: 'Name of the role.', example: 'Editor' }) role_name!: string;
}

export class RoleNamePage extends PageOf(RoleNameView) {}

/** What becomes of the users of a deleted role. */
export class DeleteRole {
  replace_with?: string;
}
acceptParameter(DeleteRole, { name: 'replace_with', kind: 'id', about: 'Role assigned to its users instead.' });

/** A change of a role to think through. */
@Accepts()
export class RehearseRole {
  @Ref({ about: 'Role to change.' }) role_id!: string;
  @TextList({ about: 'Permissions of the role after the change.', example: ['media:view'] }) role_permissions!: string[];
}

@Answer()
export class PermissionsOfUserView {
  @Ref({ about: 'Id of the user.' }) user_id!: string;
  @TextList({ about: 'Permissions, sorted.', example: ['design:edit'] }) permissions!: string[];
}

@Answer()
export class RoleRehearsalView {
  @NestedList(() => PermissionsOfUserView, {
    about: 'Users who would gain permissions that no other role gives them.',
  })
  gained!: PermissionsOfUserView[];
  @NestedList(() => PermissionsOfUserView, { about: 'Users who would lose permissions that no other role gives them.' })
  lost!: PermissionsOfUserView[];
  @Whole({ about: 'Number of active API keys of these users that include one of these permissions.', example: 2 }) keys_affected!: number;
  @TextList({ about: 'Operations that would become available to members who have the role.', example: [] }) operations_opened!: string[];
  @TextList({ about: 'Operations that would become unavailable to members who have the role.', example: ['createAlbum'] })
  operations_closed!: string[];
}

@Answer()
export class PermissionView {
  @Text({ sort: true, filter: 'contains', about: 'Permission as used in roles and scopes.', example: 'media:view' }) perm!: string;
  @Choice(AREAS, { sort: true, filter: 'equals', about: 'Area of the permission.' }) perm_area!: Area;
  @Text({ about: 'Action in the area.', example: 'view' }) perm_action!: string;
  @Text({ about: 'What the permission allows.', example: 'See the media library: files, albums, people and tags.' })
  perm_description!: string;
  @TextList({ about: 'Operations that require it, alone or as one of several.', example: ['listAlbums'] }) perm_operations!: string[];
}

export class PermissionPage extends PageOf(PermissionView) {}

export class ListPermissions extends ListQuery(PermissionView, { whole: true }) {}

export class ListUnusedPermissions extends ListQuery(PermissionView, { whole: true }) {
  days?: number;
}
acceptParameter(ListUnusedPermissions, {
  name: 'days',
  kind: 'whole',
  min: 1,
  max: 365,
  about: 'Number of days to evaluate. Default: 90.',
  example: 90,
});
