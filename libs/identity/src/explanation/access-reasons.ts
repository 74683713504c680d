import {
  ACL_LEVELS,
  PermissionSet,
  type AclLevel,
  type Permission,
  type PermissionSet as Permissions,
  type RoutePolicy,
} from '@atrium/platform/access';
import type { AskedCaller, KeyOfAsked } from './asked-callers.rows';
import type { AclOfRow } from '../access-lists/acl-sources';

type Holder = Pick<AskedCaller<unknown>, 'user_id' | 'user_name' | 'roles'> & { readonly key: KeyOfAsked | null };

/** Which role gives what is asked for and which scope carries it, or what is missing where. */
export function permissionReason(holder: Holder, { kind, any, all }: RoutePolicy, permissions: Permissions): string {
  if (kind === 'self') return 'Any member of the workspace may do this.';
  const missing = (all ?? []).filter((permission) => !permissions.has(permission));
  if (missing.length > 0) return missing.map((permission) => whyMissing(holder, permission)).join(' ');
  const held = any?.find((permission) => permissions.has(permission));
  if (any && held === undefined) return any.map((permission) => whyMissing(holder, permission)).join(' ');
  return [...(all ?? []), ...(held ? [held] : [])].map((permission) => whyHeld(holder, permission)).join(' ');
}

function whyHeld({ roles, key }: Holder, permission: Permission): string {
  const role = roles.find(({ role_permissions }) => gives(role_permissions, permission));
  const scope = key?.key_scopes?.find((grant) => gives([grant], permission));
  return `The role ${role?.role_name ?? '?'} grants ${permission}${scope ? `, and the scope ${scope} of the key ${key?.key_name} includes it` : ''}.`;
}

function whyMissing({ user_name, roles, key }: Holder, permission: Permission): string {
  const role = roles.find(({ role_permissions }) => gives(role_permissions, permission));
  if (role && key) return `The role ${role.role_name} grants ${permission}, but no scope of the key ${key.key_name} includes it.`;
  if (roles.length === 0) return `${user_name} has no role, and therefore not ${permission}.`;
  return `None of the roles of ${user_name} (${roles.map(({ role_name }) => role_name).join(', ')}) grants ${permission}.`;
}

const gives = (grants: readonly string[], permission: Permission): boolean => PermissionSet.of(grants).has(permission);

/** Which entry of a row's access list decides. */
export function aclReason(holder: Holder, { name, acl }: AclOfRow, given: number | null, level: AclLevel): string {
  if (given === null) return `The ${name} has no access list: the permission decides.`;
  if (given === 0) return `The access list of the ${name} names neither ${holder.user_name} nor any of their roles.`;
  const entry = entryOf(holder, acl, given);
  return `The access list of the ${name} grants ${entry}${given < ACL_LEVELS[level] ? `; this needs ${level}` : ''}.`;
}

function entryOf({ user_id, user_name, roles }: Holder, acl: AclOfRow['acl'], given: number): string {
  const word = Object.entries(ACL_LEVELS).find(([, level]) => level === given)?.[0] ?? '';
  const entries = (kind: string): unknown => acl[kind];
  const says = (kind: string, id: string): boolean => (entries(kind) as Readonly<Record<string, unknown>> | undefined)?.[id] === word;
  if (says('users', user_id)) return `${user_name} ${word}`;
  const role = roles.find(({ role_id }) => says('roles', role_id));
  return role ? `the role ${role.role_name} ${word}` : `a space of ${user_name} ${word}`;
}
