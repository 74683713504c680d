import { accessDenied, notFound, type JsonObject } from '@atrium/platform/kernel';
import { ACL_LEVELS, aclLevel, type AclLevel } from './acl';
import type { Permission, PermissionSet } from './permissions';
import type { Principal } from './principal';

/** A row without an access list is open to everyone who has the permission of the area. */
export function assertAclLevel(acl: JsonObject, caller: Principal, level: AclLevel, noun: string): void {
  const given = aclLevel(acl, caller);
  if (given === 0) throw notFound(noun);
  if (given !== null && given < ACL_LEVELS[level])
    throw accessDenied(`You need ${level} access to this ${noun}. Ask one of its owners for it.`);
}

/** Access lists are changed by owners and administrators. */
export function assertAclChange(acl: JsonObject, caller: Principal, noun: string): void {
  if (!caller.permissions.has('admin:settings') && (aclLevel(acl, caller) ?? ACL_LEVELS.owner) < ACL_LEVELS.owner)
    throw accessDenied(`Only an owner of this ${noun} or an administrator with admin:settings can change its access list.`);
}

/** What a caller may do, for answers: the level of the access list; without one the permissions decide alone. */
export function accessLevel(
  level: number | null,
  permissions: PermissionSet,
  { owner, edit }: { readonly owner: Permission; readonly edit: readonly Permission[] },
): AclLevel {
  if (level !== null) return level >= ACL_LEVELS.owner ? 'owner' : level >= ACL_LEVELS.edit ? 'edit' : 'view';
  if (permissions.has(owner)) return 'owner';
  return edit.some((permission) => permissions.has(permission)) ? 'edit' : 'view';
}
