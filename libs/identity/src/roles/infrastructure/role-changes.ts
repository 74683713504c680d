import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

export interface PermissionsOfUser {
  readonly user_id: string;
  readonly permissions: string[];
}

/** A role change that is only thought: what the role allows now and what it would, both written out. */
export interface ThoughtChange {
  readonly role_id: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** Every grant with every permission it means, pairwise. */
  readonly grants: readonly string[];
  readonly meanings: readonly string[];
}

/**
 * Who gains or loses what when a role changes. A user is affected by a permission that the role alone gives them: the
 * set difference is taken in SQL, over the users who have the role.
 */
@Injectable()
export class RoleChanges {
  constructor(private readonly db: Database) {}

  async findAffectedUsers(change: ThoughtChange): Promise<{ readonly gained: PermissionsOfUser[]; readonly lost: PermissionsOfUser[] }> {
    const rows = await this.db
      .current()
      .query<PermissionsOfUser & { gained: boolean }>(
        sql`${differences(change)} SELECT user_id, gained, array_agg(permission ORDER BY permission) AS permissions FROM difference GROUP BY user_id, gained ORDER BY user_id`,
      );
    const pick = (gained: boolean): PermissionsOfUser[] =>
      rows.filter((row) => row.gained === gained).map(({ user_id, permissions }) => ({ user_id, permissions }));
    return { gained: pick(true), lost: pick(false) };
  }

  /** Live keys of affected users that carry one of the permissions in question. */
  async countAffectedKeys(change: ThoughtChange): Promise<number> {
    const row = await this.db.current().first<{ keys: number }>(
      sql`${differences(change)}
          SELECT count(*) AS keys FROM api_key k WHERE k.tenant_id = ${requireScope().tenant_id} AND k.key_revoked_at IS NULL AND (k.key_expires_at IS NULL OR k.key_expires_at > now())
            AND EXISTS (SELECT FROM difference d WHERE d.user_id = k.key_user AND (k.key_scopes IS NULL OR EXISTS (SELECT FROM unnest(k.key_scopes) s JOIN meaning m ON m.grant_text = s WHERE m.permission = d.permission)))`,
    );
    return row?.keys ?? 0;
  }

  /** The different sets of grants that holders of the role have from their other roles. */
  async listOtherGrants(role_id: string): Promise<string[][]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ grants: string[] }>(
      sql`WITH combination AS (
            SELECT DISTINCT ARRAY(SELECT o.role_id FROM user_role_link o WHERE o.tenant_id = l.tenant_id AND o.user_id = l.user_id AND o.role_id <> l.role_id ORDER BY o.role_id) AS role_ids
            FROM user_role_link l JOIN workspace_user u USING (tenant_id, user_id) WHERE l.tenant_id = ${tenant_id} AND l.role_id = ${role_id} AND u.user_status <> 'removed')
          SELECT ARRAY(SELECT DISTINCT unnest(r.role_permissions) FROM role r WHERE r.tenant_id = ${tenant_id} AND r.role_id = ANY(c.role_ids)) AS grants FROM combination c`,
    );
    return rows.map((row) => row.grants);
  }

  /** Everybody who has the role. */
  async findRoleHolders(role_id: string): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ user_id: string }>(
        sql`SELECT user_id FROM user_role_link WHERE tenant_id = ${requireScope().tenant_id} AND role_id = ${role_id}`,
      );
    return rows.map((row) => row.user_id);
  }
}

/** `difference(user_id, permission, gained)`: what each holder would gain or lose, since no other role of theirs gives it. */
function differences({ role_id, gained, lost, grants, meanings }: ThoughtChange): Sql {
  const { tenant_id } = requireScope();
  return sql`
    WITH meaning AS (SELECT * FROM unnest(${[...grants]}::text[], ${[...meanings]}::text[]) AS t (grant_text, permission)),
    change AS (SELECT unnest(${[...gained]}::text[]) AS permission, true AS gained UNION ALL SELECT unnest(${[...lost]}::text[]), false),
    holder AS (SELECT l.user_id FROM user_role_link l JOIN workspace_user u USING (tenant_id, user_id) WHERE l.tenant_id = ${tenant_id} AND l.role_id = ${role_id} AND u.user_status <> 'removed'),
    role_gives AS (SELECT DISTINCT r.role_id, m.permission FROM role r CROSS JOIN unnest(r.role_permissions) g JOIN meaning m ON m.grant_text = g JOIN change c USING (permission)
                   WHERE r.tenant_id = ${tenant_id} AND r.role_id <> ${role_id}),
    elsewhere AS (SELECT DISTINCT h.user_id, g.permission FROM holder h JOIN user_role_link l ON l.tenant_id = ${tenant_id} AND l.user_id = h.user_id JOIN role_gives g USING (role_id)),
    difference AS (SELECT h.user_id, c.permission, c.gained FROM holder h CROSS JOIN change c LEFT JOIN elsewhere e USING (user_id, permission) WHERE e.user_id IS NULL)`;
}
