import { raw, sql, type Sql } from '@atrium/platform/database';
import { isObject, type JsonObject } from '@atrium/platform/kernel';
import type { Principal } from './principal';

/** Access on one row: what its ACL gives to a user, a role or a space. */
export const ACL_LEVELS = { view: 1, edit: 2, owner: 3 } as const;

export type AclLevel = keyof typeof ACL_LEVELS;

/** `{users: {<uuid>: level}, roles: {…}, spaces: {…}}`; absent or empty: everyone who has the permission of the area. */
export interface Acl {
  readonly users?: Readonly<Record<string, AclLevel>>;
  readonly roles?: Readonly<Record<string, AclLevel>>;
  readonly spaces?: Readonly<Record<string, AclLevel>>;
}

type Subject = Pick<Principal, 'user_id' | 'role_ids' | 'space_ids'>;

/**
 * The caller's level on a row: null when it has no ACL, else 0 (none) to 3 (owner); the highest entry wins.
 * The SQL function `acl_level` answers the same; both run one table of cases.
 */
export function aclLevel(acl: Acl | JsonObject | null, subject: Subject): number | null {
  const users = entriesOf(acl, 'users');
  const roles = entriesOf(acl, 'roles');
  const spaces = entriesOf(acl, 'spaces');
  if (users.size + roles.size + spaces.size === 0) return null;
  const granted = [
    users.get(subject.user_id),
    ...subject.role_ids.map((id) => roles.get(id)),
    ...subject.space_ids.map((id) => spaces.get(id)),
  ];
  return Math.max(0, ...granted.map((level) => LEVELS.get(level) ?? 0));
}

const LEVELS = new Map<unknown, number>(Object.entries(ACL_LEVELS));

/** Whether the list leaves anybody out at all. */
export const isRestricted = (acl: JsonObject): boolean => aclLevel(acl, NOBODY) !== null;

const NOBODY: Subject = { user_id: '', role_ids: [], space_ids: [] };

/** What is stored was validated when it was written; what is not an object grants nothing. */
function entriesOf(acl: Acl | JsonObject | null, kind: keyof Acl): ReadonlyMap<string, unknown> {
  const entries: unknown = acl?.[kind];
  return new Map(isObject(entries) ? Object.entries(entries) : []);
}

/** `acl_level(column, …)` of the caller as a SQL expression; most rows have no ACL and cost no call. */
export const aclLevelSql = (column: string, subject: Subject): Sql =>
  sql`CASE WHEN ${raw(column)} = '{}' THEN NULL ELSE acl_level(${raw(column)}, ${subject.user_id}::uuid, ${[...subject.role_ids]}::uuid[], ${[...subject.space_ids]}::uuid[]) END`;

/** Condition for lists: no ACL, or one that gives the caller at least `level`. */
export const aclAllows = (column: string, subject: Subject, level: AclLevel): Sql =>
  sql`coalesce(${aclLevelSql(column, subject)}, 3) >= ${ACL_LEVELS[level]}`;
