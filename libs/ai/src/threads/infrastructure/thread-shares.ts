import type { Principal } from '@atrium/platform/access';
import { raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { ThreadLevel } from '../domain/thread-level';

/** Condition on `g` (a row of `thread_grant`): it names the caller, one of their roles or one of their spaces. */
export const grantedTo = ({ user_id, role_ids, space_ids }: Principal): Sql => sql`(
  (g.grant_kind = 'user' AND g.grant_to = ${user_id}::uuid)
  OR (g.grant_kind = 'role' AND g.grant_to = ANY(${[...role_ids]}::uuid[]))
  OR (g.grant_kind = 'space' AND g.grant_to = ANY(${[...space_ids]}::uuid[])))`;

/** Condition on a row of `thread`, by its alias: the caller has at least the level. It says of rows what `findLevel` says of one thread. */
export function sharedWith(caller: Principal, level: ThreadLevel, alias = 'r'): Sql {
  const t = raw(alias);
  const granted = sql`EXISTS (SELECT FROM thread_grant g WHERE g.tenant_id = ${t}.tenant_id AND g.thread_id = ${t}.thread_id AND g.grant_level = ANY(${LEVELS[level]}::text[]) AND ${grantedTo(caller)})`;
  return sql`(${t}.thread_user = ${caller.user_id}::uuid OR ${granted} OR ${bySpace(caller, level, alias)})`;
}

/** Condition on a row of another table that names a thread: the reader may read it; nobody (null) reads one. */
export const inThreadOf = (thread: Sql, reader: Principal | null): Sql =>
  reader === null || !reader.permissions.has('thread:view')
    ? sql`false`
    : sql`EXISTS (SELECT FROM thread t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread} AND (t.thread_active OR t.thread_user = ${reader.user_id}::uuid) AND ${sharedWith(reader, 'view', 't')})`;

/** Condition: the space is active. Shares in a deleted one open nothing, also as long as the rows of its threads name it. */
export const isActiveSpace = (space: Sql): Sql =>
  sql`EXISTS (SELECT FROM space o WHERE o.tenant_id = ${requireScope().tenant_id} AND o.space_id = ${space} AND o.space_active)`;

const LEVELS: Readonly<Record<ThreadLevel, readonly ThreadLevel[]>> = {
  view: ['view', 'edit', 'owner'],
  edit: ['edit', 'owner'],
  owner: ['owner'],
};

function bySpace(caller: Principal, level: ThreadLevel, alias: string): Sql {
  const t = raw(alias);
  if (level === 'owner') return sql`false`;
  const member = sql`${t}.thread_space = ANY(${[...caller.space_ids]}::uuid[])`;
  if (level === 'view') return sql`(${t}.thread_share_mode <> 'private' AND ${member})`;
  return sql`(${t}.thread_share_mode = 'collab' AND ${member} AND EXISTS (
    SELECT FROM space_member m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.sm_space = ${t}.thread_space AND m.sm_role <> 'viewer' AND ${memberOf(caller)}))`;
}

/** Condition on `m` (a row of `space_member`): it is the caller or one of their roles. */
export const memberOf = ({ user_id, role_ids }: Principal): Sql =>
  sql`((m.sm_principal_type = 'user' AND m.sm_principal = ${user_id}::uuid) OR (m.sm_principal_type = 'role' AND m.sm_principal = ANY(${[...role_ids]}::uuid[])))`;
