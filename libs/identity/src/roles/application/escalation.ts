import { Injectable } from '@nestjs/common';
import { permissionDenied, PermissionSet, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidState } from '@atrium/platform/kernel';

/**
 * Nobody rises by what they may change: the rules that every grant, every change to a person and every loss of an owner
 * pass. All of them decide within the open unit of work and by the caller as its gate admitted them, so that of two
 * owners who demote each other the second is refused because no owner would remain.
 */
@Injectable()
export class Escalation {
  constructor(private readonly db: Database) {}

  /** E1: what is granted must be held; `*` by a literal `*`. With a key the key's intersected permissions count. */
  async assertGrants(caller: Principal, grants: readonly string[]): Promise<void> {
    const missing = await this.findMissingGrants(caller, grants);
    if (missing.length > 0) throw permissionDenied(missing);
  }

  /** What of the grants the caller does not hold: permission strings, and `*` where the literal is missing. */
  async findMissingGrants(caller: Principal, grants: readonly string[]): Promise<string[]> {
    const missing = PermissionSet.of(grants.filter((grant) => grant !== EVERYTHING))
      .without(caller.permissions)
      .list();
    if (grants.includes(EVERYTHING) && !(await this.holdsEverything(caller))) return [EVERYTHING, ...missing];
    return missing;
  }

  /** E2: who holds a permission that the caller lacks is out of the caller's reach. */
  async assertMayChange(caller: Principal, user_id: string): Promise<void> {
    const missing = await this.findMissingGrants(caller, await this.grantsOf(user_id));
    if (missing.length > 0) throw permissionDenied(missing);
  }

  /** E2 for many at once, in one statement: if one of them is out of reach, the whole change is refused. */
  async assertMayChangeAll(caller: Principal, user_ids: readonly string[]): Promise<void> {
    if (user_ids.length > 0) await this.assertGrants(caller, await this.grantsOf(...user_ids));
  }

  /**
   * E3: carries out a change that may cost somebody the owner role, and refuses it when no active person would keep it.
   * The workspace row is locked before anything else is, so that such changes wait for one another.
   */
  async withOwnerRemaining<T>(change: () => Promise<T>): Promise<T> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.query(sql`SELECT 1 FROM workspace WHERE tenant_id = ${tenant_id} FOR NO KEY UPDATE`);
    const outcome = await change();
    const owner = await tx.first(
      sql`SELECT 1 FROM role r JOIN user_role_link l USING (tenant_id, role_id) JOIN workspace_user u USING (tenant_id, user_id)
          WHERE r.tenant_id = ${tenant_id} AND r.role_key = 'owner' AND u.user_kind = 'person' AND u.user_status = 'active' LIMIT 1`,
    );
    if (!owner) throw invalidState('At least one active person must keep the role owner.');
    return outcome;
  }

  /** E3 for what is carried out later: refuses it when only this person is an active owner now. */
  async assertOwnerRemains(user_id: string): Promise<void> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ owns: boolean; others: boolean }>(
      sql`SELECT coalesce(bool_or(u.user_id = ${user_id}), false) AS owns, coalesce(bool_or(u.user_id <> ${user_id}), false) AS others
          FROM role r JOIN user_role_link l USING (tenant_id, role_id) JOIN workspace_user u USING (tenant_id, user_id)
          WHERE r.tenant_id = ${tenant_id} AND r.role_key = 'owner' AND u.user_kind = 'person' AND u.user_status = 'active'`,
    );
    if (row?.owns && !row.others) throw invalidState('At least one active person must keep the role owner.');
  }

  /** E4: through the administration nobody ends their own membership. */
  assertNotSelf(caller: Principal, user_id: string): void {
    if (caller.user_id === user_id.toLowerCase())
      throw invalidState('You cannot do this to yourself. To leave the workspace, use POST /me/leave.');
  }

  /** What the roles of these members grant, as it is written in the roles. */
  async grantsOf(...user_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.current().query<{ grant: string }>(
      sql`SELECT DISTINCT unnest(r.role_permissions) AS grant FROM user_role_link l JOIN role r USING (tenant_id, role_id)
          WHERE l.tenant_id = ${requireScope().tenant_id} AND l.user_id = ANY(${[...user_ids]}::uuid[])`,
    );
    return rows.map((row) => row.grant);
  }

  /** Whether a role of the caller says `*` itself, and the key that was sent does not narrow it. */
  private async holdsEverything({ kind, role_ids, key_id }: Principal): Promise<boolean> {
    if (kind !== 'person' && kind !== 'service') return false;
    const { tenant_id } = requireScope();
    const held = await this.db.current().first(
      sql`SELECT 1 WHERE EXISTS (SELECT FROM role WHERE tenant_id = ${tenant_id} AND role_id = ANY(${[...role_ids]}::uuid[]) AND '*' = ANY(role_permissions))
            AND NOT EXISTS (SELECT FROM api_key WHERE tenant_id = ${tenant_id} AND key_id = ${key_id}::uuid AND key_scopes IS NOT NULL AND '*' <> ALL(key_scopes))`,
    );
    return held !== undefined;
  }
}

const EVERYTHING = '*';
