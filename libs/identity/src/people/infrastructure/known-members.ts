import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Somebody who can be written to. */
export interface Addressee {
  readonly user_id: string;
  readonly user_email: string;
  readonly user_name: string;
  readonly user_locale: string;
  readonly ws_name: string;
}

/** Which ids are members or roles of the workspace, former ones left out: for what names people by id. Called within a unit of work. */
@Injectable()
export class KnownMembers {
  constructor(private readonly db: Database) {}

  async findMemberIds(user_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ user_id: string }>(
        sql`SELECT user_id FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ANY(${[...user_ids]}::uuid[]) AND user_status <> 'removed'`,
      );
    return new Set(rows.map(({ user_id }) => user_id));
  }

  async filterExistingRoles(role_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ role_id: string }>(
        sql`SELECT role_id FROM role WHERE tenant_id = ${requireScope().tenant_id} AND role_id = ANY(${[...role_ids]}::uuid[])`,
      );
    return new Set(rows.map(({ role_id }) => role_id));
  }

  /** The active people among members and holders of roles, each once, at most so many. */
  async resolveAddressees(ids: readonly string[], most: number): Promise<Addressee[]> {
    if (ids.length === 0) return [];
    return this.db.current().query<Addressee>(sql`
      SELECT u.user_id, u.user_email, u.user_name, coalesce(u.user_locale, w.ws_locale) AS user_locale, w.ws_name FROM workspace_user u JOIN workspace w ON w.tenant_id = u.tenant_id
      WHERE u.tenant_id = ${requireScope().tenant_id} AND u.user_status = 'active' AND u.user_kind = 'person' AND u.user_email IS NOT NULL
        AND (u.user_id = ANY(${[...ids]}::uuid[]) OR EXISTS (SELECT FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id AND l.role_id = ANY(${[...ids]}::uuid[])))
      ORDER BY u.user_id LIMIT ${most}`);
  }

  /** What the members among the ids are called, former ones left out; one statement for however many. */
  async findMemberNames(user_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (user_ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<{ user_id: string; user_name: string }>(
        sql`SELECT user_id, user_name FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ANY(${[...user_ids]}::uuid[]) AND user_status <> 'removed'`,
      );
    return new Map(rows.map(({ user_id, user_name }) => [user_id, user_name]));
  }

  /** What people of the workspace are called, former ones too. */
  async listNames(user_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (user_ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<{ user_id: string; user_name: string }>(
        sql`SELECT user_id, user_name FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ANY (${[...user_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ user_id, user_name }) => [user_id, user_name]));
  }

  /** Whether somebody is or was a member. */
  async hasMember(user_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ${user_id}::uuid`);
    return row !== undefined;
  }

  /** What a member is called; null when it is none any more. */
  async nameOf(user_id: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ user_name: string }>(
        sql`SELECT user_name FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ${user_id}::uuid`,
      );
    return row?.user_name ?? null;
  }
}
