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
  @Text({ optional: true, about: 'Which of the built-in roles it is; null for all others.', example: 'editor' }) role_key!: string | null;
  @Text({ about: 'Name of the role.', example: 'Editor' }) role_name!: string;
}

export class RoleNamePage extends PageOf(RoleNameView) {}

/** What becomes of the users of a deleted role. */
export class DeleteRole {
  replace_with?: string;
}
acceptParameter(DeleteRole, { name: 'replace_with', kind: 'id', about: 'Role that its users get instead.' });

/** A change of a role to think through. */
@Accepts()
export class RehearseRole {
  @Ref({ about: 'The role that would change.' }) role_id!: string;
  @TextList({ about: 'The permissions it would have.', example: ['media:view'] }) role_permissions!: string[];
}

@Answer()
export class PermissionsOfUserView {
  @Ref({ about: 'The user.' }) user_id!: string;
  @TextList({ about: 'Permissions, sorted.', example: ['design:edit'] }) permissions!: string[];
}

@Answer()
export class RoleRehearsalView {
  @NestedList(() => PermissionsOfUserView, {
    about: 'Users who would gain permissions, with those they do not have already by another role.',
  })
  gained!: PermissionsOfUserView[];
  @NestedList(() => PermissionsOfUserView, { about: 'Users who would lose permissions, with those no other role of theirs gives.' })
  lost!: PermissionsOfUserView[];
  @Whole({ about: 'Live API keys of these users that carry one of these permissions.', example: 2 }) keys_affected!: number;
  @TextList({ about: 'Operations that would open for somebody who has the role.', example: [] }) operations_opened!: string[];
  @TextList({ about: 'Operations that would close for somebody who has the role.', example: ['createAlbum'] }) operations_closed!: string[];
}

@Answer()
export class PermissionView {
  @Text({ sort: true, filter: 'contains', about: 'The permission as roles and scopes name it.', example: 'media:view' }) perm!: string;
  @Choice(AREAS, { sort: true, filter: 'equals', about: 'Its area.' }) perm_area!: Area;
  @Text({ about: 'What it allows in the area.', example: 'view' }) perm_action!: string;
  @Text({ about: 'What it allows, in a sentence.', example: 'See the media library: files, albums, people and tags.' })
  perm_description!: string;
  @TextList({ about: 'Operations that ask for it, alone or among others.', example: ['listAlbums'] }) perm_operations!: string[];
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
  about: 'How many days to look back; 90 unless told.',
  example: 90,
});
