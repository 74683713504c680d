import { Injectable } from '@nestjs/common';
import { Database, sql, type UnitOfWork } from '@atrium/platform/database';

export interface MemberLine {
  readonly user_id: string;
  readonly user_email: string | null;
  readonly user_name: string;
  readonly user_kind: string;
  readonly user_status: string;
  readonly roles: readonly string[];
}

/** A key as it is stored for the member with the address. */
export interface StoredKey {
  readonly key_id: string;
  readonly key_name: string;
  readonly public_id: string;
  readonly hash: string;
  readonly user_email: string;
  readonly scopes: readonly string[] | null;
}

type Row<T> = T & Record<string, unknown>;

/** Members, their roles and keys as operators and the command line write them, from outside of a workspace. Within a unit of work. */
@Injectable()
export class OperatedMemberRows {
  constructor(private readonly db: Database) {}

  listMembers(ws_id: string): Promise<MemberLine[]> {
    return this.tx.query<Row<MemberLine>>(
      sql`SELECT u.user_id, u.user_email, u.user_name, u.user_kind, u.user_status,
                   ARRAY(SELECT coalesce(r.role_key, r.role_name) FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id ORDER BY 1) AS roles
            FROM workspace_user u WHERE u.tenant_id = ${ws_id} AND u.user_status <> 'removed' ORDER BY u.user_created, u.user_id`,
    );
  }

  /** The member with the address, former ones left out. */
  lockMember(ws_id: string, user_email: string): Promise<{ readonly user_id: string; readonly user_name: string } | undefined> {
    return this.tx.first<{ user_id: string; user_name: string }>(
      sql`SELECT user_id, user_name FROM workspace_user WHERE tenant_id = ${ws_id} AND user_email = ${user_email} AND user_status <> 'removed' FOR UPDATE`,
    );
  }

  /** The member with the address, whatever the state. */
  lockMembership(ws_id: string, user_email: string): Promise<{ readonly user_id: string; readonly user_status: string } | undefined> {
    return this.tx.first<{ user_id: string; user_status: string }>(
      sql`SELECT user_id, user_status FROM workspace_user WHERE tenant_id = ${ws_id} AND user_email = ${user_email} FOR UPDATE`,
    );
  }

  /** Adds a member as the specification says, with an account where the address has none. */
  async insertMember(ws_id: string, spec: object): Promise<string | null> {
    const row = await this.tx.first<{ made: { user_id: string } }>('SELECT ws_add_user($1, $2) AS made', [ws_id, JSON.stringify(spec)]);
    return row?.made.user_id ?? null;
  }

  async markInvited(user_id: string, expires: Date): Promise<void> {
    await this.tx.execute(
      sql`UPDATE workspace_user SET user_status = 'invited', user_invited_at = now(), user_invite_expires_at = ${expires}, user_updated = now(), row_version = row_version + 1
          WHERE tenant_id = current_tenant() AND user_id = ${user_id}`,
    );
  }

  async activateMember(ws_id: string, user_id: string): Promise<void> {
    await this.tx.execute(
      sql`UPDATE workspace_user SET user_status = 'active', user_updated = now(), row_version = row_version + 1 WHERE tenant_id = ${ws_id} AND user_id = ${user_id}`,
    );
  }

  /** Roles by their keys or names. */
  findNamedRoles(ws_id: string, names: readonly string[]): Promise<{ readonly role_id: string; readonly name: string }[]> {
    return this.tx.query<{ role_id: string; name: string }>(
      sql`SELECT role_id, w.name FROM unnest(${[...names]}::text[]) w (name) JOIN role ON tenant_id = ${ws_id} AND (role_key = w.name OR folded(role_name) = folded(w.name))`,
    );
  }

  async listRoleNames(ws_id: string, user_id: string): Promise<string[]> {
    const rows = await this.tx.query<{ name: string }>(
      sql`SELECT coalesce(r.role_key, r.role_name) AS name FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = ${ws_id} AND l.user_id = ${user_id} ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  async deleteOtherRoles(ws_id: string, user_id: string, role_ids: readonly string[]): Promise<void> {
    await this.tx.execute(
      sql`DELETE FROM user_role_link WHERE tenant_id = ${ws_id} AND user_id = ${user_id} AND role_id <> ALL (${[...role_ids]}::uuid[])`,
    );
  }

  async insertRoles(ws_id: string, user_id: string, role_ids: readonly string[]): Promise<void> {
    await this.tx.execute(
      sql`INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT ${ws_id}::uuid, ${user_id}::uuid, r FROM unnest(${[...role_ids]}::uuid[]) r ON CONFLICT DO NOTHING`,
    );
  }

  async insertOwnerRole(ws_id: string, user_id: string): Promise<void> {
    await this.tx.execute(
      sql`INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT tenant_id, ${user_id}::uuid, role_id FROM role WHERE tenant_id = ${ws_id} AND role_key = 'owner' ON CONFLICT DO NOTHING`,
    );
  }

  /** A new password; whatever was begun for the account ends, with every session and the keys the person made. False when the account is locked. */
  async vouchPassword(user_id: string, hash: string): Promise<boolean> {
    const row = await this.tx.first<{ done: boolean }>(sql`SELECT auth_vouch_password(${user_id}::uuid, ${hash}) AS done`);
    return row?.done ?? false;
  }

  /** A key for an active member; false when there is none. */
  async insertKey(ws_id: string, { key_id, key_name, public_id, hash, user_email, scopes }: StoredKey): Promise<boolean> {
    const made = await this.tx.execute(
      sql`INSERT INTO api_key (tenant_id, key_id, key_name, key_public_id, key_hash, key_user, key_scopes)
              SELECT tenant_id, ${key_id}, ${key_name}, ${public_id}, ${hash}, user_id, ${scopes}::text[]
              FROM workspace_user WHERE tenant_id = ${ws_id} AND user_email = ${user_email} AND user_status = 'active'`,
    );
    return made > 0;
  }

  /** Revokes an active key, named by its id or the beginning that lists show. */
  revokeKey(ws_id: string, key: string): Promise<{ readonly key_id: string; readonly key_name: string } | undefined> {
    return this.tx.first<{ key_id: string; key_name: string }>(
      sql`UPDATE api_key SET key_revoked_at = now(), key_revoke_reason = 'user', key_updated = now(), row_version = row_version + 1
            WHERE tenant_id = ${ws_id} AND (key_id::text = ${key.toLowerCase()} OR key_prefix = ${key}) AND key_revoked_at IS NULL RETURNING key_id, key_name`,
    );
  }

  private get tx(): UnitOfWork {
    return this.db.current();
  }
}
