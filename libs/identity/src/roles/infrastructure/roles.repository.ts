import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { Role } from '../domain/role';

/** A role as it is stored, with how many have it. */
export type RoleRow = Pick<
  Role,
  | 'role_id'
  | 'role_key'
  | 'role_name'
  | 'role_description'
  | 'role_permissions'
  | 'role_default'
  | 'role_user_count'
  | 'role_created'
  | 'role_updated'
>;

export interface RoleName {
  readonly role_id: string;
  readonly role_key: string | null;
  readonly role_name: string;
}

const USER_COUNT: Sql = sql`
  (SELECT count(*) FROM user_role_link l JOIN workspace_user u USING (tenant_id, user_id) WHERE l.tenant_id = r.tenant_id AND l.role_id = r.role_id AND u.user_status <> 'removed') AS role_user_count`;

/** Who may be given a role or lose it here: everyone who is still a member; an extension's user is its install's alone. */
const GIVABLE = sql`u.user_status <> 'removed' AND u.user_kind <> 'extension'`;

/** Roles and who has them. */
@Injectable()
export class RolesRepository extends ResourceRepository<Role> {
  constructor(db: Database) {
    super(db, Role, 'role');
  }

  listRoles(query: ListParameters): Promise<Page<RoleRow>> {
    return listPage<RoleRow>(this.db.current(), Role, query, { select: USER_COUNT });
  }

  async listRoleNames(query: ListParameters): Promise<Page<RoleName>> {
    const page = await listPage<RoleName>(this.db.current(), Role, query);
    return { ...page, data: page.data.map(({ role_id, role_key, role_name }) => ({ role_id, role_key, role_name })) };
  }

  findRoleDetail(id: string): Promise<(RoleRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Role)}, r.row_version, ${USER_COUNT} FROM role r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.role_id = ${id}`,
      );
  }

  /** One change at a time of what the roles of a workspace allow, who has them and which is the default; taken before any role or user is locked. */
  async lockAll(): Promise<void> {
    await this.db.current().query(sql`SELECT 1 FROM workspace WHERE tenant_id = ${requireScope().tenant_id} FOR NO KEY UPDATE`);
  }

  /** Whether at least one active person has the owner role. */
  async hasActiveOwner(): Promise<boolean> {
    const { tenant_id } = requireScope();
    const owner = await this.db.current().first(
      sql`SELECT 1 FROM role r JOIN user_role_link l USING (tenant_id, role_id) JOIN workspace_user u USING (tenant_id, user_id)
          WHERE r.tenant_id = ${tenant_id} AND r.role_key = 'owner' AND u.user_kind = 'person' AND u.user_status = 'active' LIMIT 1`,
    );
    return owner !== undefined;
  }

  /** Whether a person is an active owner, and whether others are. */
  async readOwnership(user_id: string): Promise<{ readonly owns: boolean; readonly others: boolean }> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ owns: boolean; others: boolean }>(
      sql`SELECT coalesce(bool_or(u.user_id = ${user_id}), false) AS owns, coalesce(bool_or(u.user_id <> ${user_id}), false) AS others
          FROM role r JOIN user_role_link l USING (tenant_id, role_id) JOIN workspace_user u USING (tenant_id, user_id)
          WHERE r.tenant_id = ${tenant_id} AND r.role_key = 'owner' AND u.user_kind = 'person' AND u.user_status = 'active'`,
    );
    return row ?? { owns: false, others: false };
  }

  /** What the roles of these members grant, as it is written in the roles. */
  async listGrantsOf(user_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.current().query<{ grant: string }>(
      sql`SELECT DISTINCT unnest(r.role_permissions) AS grant FROM user_role_link l JOIN role r USING (tenant_id, role_id)
          WHERE l.tenant_id = ${requireScope().tenant_id} AND l.user_id = ANY(${[...user_ids]}::uuid[])`,
    );
    return rows.map((row) => row.grant);
  }

  /** Whether one of the roles says `*` itself, and the key, where one is named, does not narrow it. */
  async isEverythingGranted(role_ids: readonly string[], key_id: string | null): Promise<boolean> {
    const { tenant_id } = requireScope();
    const held = await this.db.current().first(
      sql`SELECT 1 WHERE EXISTS (SELECT FROM role WHERE tenant_id = ${tenant_id} AND role_id = ANY(${[...role_ids]}::uuid[]) AND '*' = ANY(role_permissions))
            AND NOT EXISTS (SELECT FROM api_key WHERE tenant_id = ${tenant_id} AND key_id = ${key_id}::uuid AND key_scopes IS NOT NULL AND '*' <> ALL(key_scopes))`,
    );
    return held !== undefined;
  }

  async clearDefault(now: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE role SET role_default = false, row_version = row_version + 1, role_updated = ${now} WHERE tenant_id = ${requireScope().tenant_id} AND role_default`,
      );
  }

  async isHeld(id: string): Promise<boolean> {
    const held = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM user_role_link l JOIN workspace_user u USING (tenant_id, user_id) WHERE l.tenant_id = ${requireScope().tenant_id} AND l.role_id = ${id} AND u.user_status <> 'removed' LIMIT 1`,
      );
    return held !== undefined;
  }

  /** Gives everybody who has one role the other one as well. */
  async handOver(from: string, to: string): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db
      .current()
      .execute(
        sql`INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT tenant_id, user_id, ${to}::uuid FROM user_role_link WHERE tenant_id = ${tenant_id} AND role_id = ${from} ON CONFLICT DO NOTHING`,
      );
  }

  /** Of these users the ones that have (or lack) the role and may be changed here, locked. */
  async lockUsers(user_ids: readonly string[], role_id: string, { having }: { readonly having: boolean }): Promise<string[]> {
    const holds = sql`EXISTS (SELECT FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id AND l.role_id = ${role_id})`;
    const rows = await this.db.current().query<{ user_id: string }>(
      sql`SELECT u.user_id FROM workspace_user u WHERE u.tenant_id = ${requireScope().tenant_id} AND u.user_id = ANY(${[...user_ids]}::uuid[]) AND ${GIVABLE} AND ${having ? holds : sql`NOT ${holds}`}
          ORDER BY u.user_id FOR NO KEY UPDATE OF u`,
    );
    return rows.map((row) => row.user_id);
  }

  /** Users among these that have so many roles already. */
  async filterUsersWithRoles(user_ids: readonly string[], atLeast: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ user_id: string }>(
        sql`SELECT user_id FROM user_role_link WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ANY(${[...user_ids]}::uuid[]) GROUP BY user_id HAVING count(*) >= ${atLeast}`,
      );
    return rows.map((row) => row.user_id);
  }

  assignRole(role_id: string, user_ids: readonly string[]): Promise<number> {
    return this.db
      .current()
      .execute(
        sql`INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT ${requireScope().tenant_id}::uuid, u, ${role_id}::uuid FROM unnest(${[...user_ids]}::uuid[]) u ON CONFLICT DO NOTHING`,
      );
  }

  unassignRole(role_id: string, user_ids: readonly string[]): Promise<number> {
    return this.db
      .current()
      .execute(
        sql`DELETE FROM user_role_link WHERE tenant_id = ${requireScope().tenant_id} AND role_id = ${role_id} AND user_id = ANY(${[...user_ids]}::uuid[])`,
      );
  }
}
