import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  join,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { User } from '../domain/user';
import { containsPattern, readSearch, type SearchTerms } from '../domain/people-search';

/** A role as it is shown beside who has it. */
export interface RoleOfUser {
  readonly role_id: string;
  readonly role_key: string | null;
  readonly role_name: string;
}

type Behaviour = MethodsOf<User> | 'takesSeat';

/** A member as it is stored, with the roles. */
export type UserRow = Omit<User, Behaviour | 'tenant_id' | 'row_version' | 'user_pref'> & { readonly roles: readonly RoleOfUser[] };

export interface UserFilters extends ListParameters {
  readonly user_name?: string;
  readonly user_email?: string;
  readonly user_status?: string;
  readonly user_role?: string;
  readonly full_text_search?: string;
}

/** What the workspace says about new members; locked while it is looked at. */
export interface Entrance {
  readonly ws_name: string;
  readonly ws_locale: string;
  readonly ws_seat_limit: number | null;
  readonly domains: readonly string[];
  readonly inviter: string | null;
}

/** A caller's own membership, with the workspace and the key they call with. */
interface OwnMembership {
  readonly row_version: number;
  readonly user: Record<string, unknown>;
  readonly roles: readonly Record<string, unknown>[];
  readonly workspace: Record<string, unknown>;
  readonly key: Record<string, unknown> | null;
}

const OF_WORKSPACE = sql`coalesce(r.user_locale, w.ws_locale) AS user_locale, coalesce(r.user_timezone, w.ws_timezone) AS user_timezone`;
const WORKSPACE = sql`JOIN workspace w ON w.tenant_id = r.tenant_id`;

/** Names, addresses and titles are searched by a function of the search role: under row-level security nothing else uses the index (ADR 5). */
const found = (part: 'any' | 'name' | 'email', { needles, without }: SearchTerms): Sql =>
  sql`r.user_id IN (SELECT users_search(${part}, ${[...needles]}::text[], ${[...without]}::text[]))`;

export const nameConditions = (text: string | undefined): Sql[] =>
  text === undefined ? [] : [found('name', { needles: [containsPattern(text)], without: [] })];

function searched(text: string | undefined): Sql[] {
  if (text === undefined) return [];
  const alternatives = readSearch(text).map((terms) => found('any', terms));
  return [alternatives.length === 0 ? sql`false` : sql`(${join(alternatives, ' OR ')})`];
}

/** Members of the workspace, with their roles. */
@Injectable()
export class UsersRepository extends ResourceRepository<User> {
  constructor(db: Database) {
    super(db, User, 'user');
  }

  /** One page, with roles by one further statement. Removed members are shown only when asked for. */
  async listUsers(query: UserFilters): Promise<Page<UserRow>> {
    const { user_name, user_email, user_status, user_role, full_text_search } = query;
    const conditions = [
      user_status === undefined ? sql`r.user_status <> 'removed'` : sql`true`,
      ...nameConditions(user_name),
      ...(user_email === undefined ? [] : [found('email', { needles: [containsPattern(user_email)], without: [] })]),
      ...searched(full_text_search),
      ...(user_role === undefined
        ? []
        : [
            sql`EXISTS (SELECT FROM user_role_link l WHERE l.tenant_id = r.tenant_id AND l.user_id = r.user_id AND l.role_id = ${user_role})`,
          ]),
    ];
    const page = await listPage<Omit<UserRow, 'roles' | 'user_roles'>>(this.db.current(), User, query, {
      where: join(conditions, ' AND '),
      select: OF_WORKSPACE,
      join: WORKSPACE,
      ignore: ['user_name', 'user_email'],
    });
    const roles = await this.findRolesOfUsers(page.data.map((user) => user.user_id));
    return { ...page, data: page.data.map((user) => withRoles(user, roles)) };
  }

  async findUserDetail(
    id: string,
  ): Promise<
    (UserRow & { readonly row_version: number; readonly user_session_count: number; readonly user_key_count: number }) | undefined
  > {
    const { tenant_id } = requireScope();
    const row = await this.db
      .current()
      .first<Omit<UserRow, 'roles' | 'user_roles'> & { row_version: number; user_session_count: number; user_key_count: number }>(
        sql`SELECT ${columnsOf(User)}, r.row_version, ${OF_WORKSPACE}, (SELECT count(*) FROM auth_sessions(r.user_id, NULL, NULL, 1000) WHERE r.user_status <> 'invited') AS user_session_count,
            (SELECT count(*) FROM api_key k WHERE k.tenant_id = r.tenant_id AND k.key_user = r.user_id AND k.key_revoked_at IS NULL AND (k.key_expires_at IS NULL OR k.key_expires_at > now())) AS user_key_count
          FROM workspace_user r ${WORKSPACE} WHERE r.tenant_id = ${tenant_id} AND r.user_id = ${id}`,
      );
    return row && withRoles(row, await this.findRolesOfUsers([id]));
  }

  findOwnMembership({
    tenant_id,
    user_id,
    key_id,
  }: {
    readonly tenant_id: string;
    readonly user_id: string;
    readonly key_id: string | null;
  }): Promise<OwnMembership | undefined> {
    return this.db.current().first<OwnMembership & Record<string, unknown>>(
      sql`SELECT u.row_version, jsonb_build_object('user_id', u.user_id, 'user_kind', u.user_kind, 'user_email', u.user_email, 'user_name', u.user_name, 'user_title', u.user_title,
                     'user_avatar_file', u.user_avatar_file, 'user_locale', coalesce(u.user_locale, w.ws_locale), 'user_timezone', coalesce(u.user_timezone, w.ws_timezone),
                     'user_status', u.user_status, 'user_pref', u.user_pref) AS user,
                   (SELECT coalesce(jsonb_agg(jsonb_build_object('role_id', r.role_id, 'role_key', r.role_key, 'role_name', r.role_name) ORDER BY r.role_name), '[]')
                    FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id) AS roles,
                   jsonb_build_object('ws_id', w.ws_id, 'ws_name', w.ws_name, 'ws_slug', w.ws_slug, 'ws_locale', w.ws_locale, 'ws_timezone', w.ws_timezone, 'ws_brand_version', w.ws_brand_version) AS workspace,
                   (SELECT jsonb_build_object('key_id', k.key_id, 'key_name', k.key_name, 'key_prefix', 'atk_' || k.key_public_id, 'key_scopes', k.key_scopes, 'key_expires_at', k.key_expires_at)
                    FROM api_key k WHERE k.tenant_id = u.tenant_id AND k.key_id = ${key_id}) AS key
            FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id}`,
    );
  }

  /** The language that somebody reads mails in here. */
  async findLocale(user_id: string): Promise<string | null> {
    const { tenant_id } = requireScope();
    const row = await this.db
      .current()
      .first<{ locale: string }>(
        sql`SELECT coalesce(u.user_locale, w.ws_locale) AS locale FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id}`,
      );
    return row?.locale ?? null;
  }

  /** Members by their ids, with their roles. */
  async findUserRows(ids: readonly string[]): Promise<ReadonlyMap<string, UserRow>> {
    if (ids.length === 0) return new Map();
    const found = await this.db
      .current()
      .query<Omit<UserRow, 'roles' | 'user_roles'>>(
        sql`SELECT ${columnsOf(User)}, ${OF_WORKSPACE} FROM workspace_user r ${WORKSPACE} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.user_id = ANY(${[...ids]}::uuid[])`,
      );
    const roles = await this.findRolesOfUsers(ids);
    return new Map(found.map((user) => [user.user_id, withRoles(user, roles)]));
  }

  /** The member locked for change, whatever its state; null when there never was one. */
  async lockIfThere(id: string): Promise<User | null> {
    return (await this.findRow(id)) ? this.lock(id) : null;
  }

  async findRolesOfUsers(user_ids: readonly string[]): Promise<ReadonlyMap<string, readonly RoleOfUser[]>> {
    if (user_ids.length === 0) return new Map();
    const rows = await this.db.current().query<{ user_id: string; roles: RoleOfUser[] }>(
      sql`SELECT l.user_id, jsonb_agg(jsonb_build_object('role_id', o.role_id, 'role_key', o.role_key, 'role_name', o.role_name) ORDER BY o.role_name, o.role_id) AS roles
          FROM user_role_link l JOIN role o USING (tenant_id, role_id) WHERE l.tenant_id = ${requireScope().tenant_id} AND l.user_id = ANY(${[...user_ids]}::uuid[]) GROUP BY l.user_id`,
    );
    return new Map(rows.map(({ user_id, roles }) => [user_id, roles]));
  }

  /** Locked before any user is, so that seats are counted by one at a time and nothing crosses the guard of owners. */
  async lockEntrance(inviter: string | null): Promise<Entrance> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<Entrance & Record<string, unknown>>(
      sql`SELECT w.ws_name, w.ws_locale, w.ws_seat_limit, ARRAY(SELECT jsonb_array_elements_text(w.ws_security -> 'allowed_email_domains')) AS domains,
            (SELECT u.user_name FROM workspace_user u WHERE u.tenant_id = w.tenant_id AND u.user_id = ${inviter}::uuid) AS inviter
          FROM workspace w WHERE w.tenant_id = ${tenant_id} FOR NO KEY UPDATE OF w`,
    );
    if (!row) throw new Error('The workspace of the running work is gone.');
    return row;
  }

  async countSeats(): Promise<number> {
    const row = await this.db
      .current()
      .first<{ taken: number }>(
        sql`SELECT count(*) AS taken FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_status IN ('active', 'invited') AND user_kind = 'person'`,
      );
    return row?.taken ?? 0;
  }

  /** The account of an address, made when there is none; without one, a new account of a service. */
  async resolveAccount(candidate: string, email: string | null): Promise<string> {
    const row = await this.db.current().first<{ acc_id: string }>(sql`SELECT people_account(${candidate}::uuid, ${email}::text) AS acc_id`);
    return row?.acc_id ?? candidate;
  }

  /** What roles grant; of those that exist. */
  async findGrantsOfRoles(role_ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.db
      .current()
      .query<{ role_id: string; role_permissions: string[] }>(
        sql`SELECT role_id, role_permissions FROM role WHERE tenant_id = ${requireScope().tenant_id} AND role_id = ANY(${[...role_ids]}::uuid[]) FOR SHARE`,
      );
    return new Map(rows.map((row) => [row.role_id, row.role_permissions]));
  }

  async listDefaultRoles(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ role_id: string }>(sql`SELECT role_id FROM role WHERE tenant_id = ${requireScope().tenant_id} AND role_default`);
    return rows.map((row) => row.role_id);
  }

  /** Gives a member exactly these roles. */
  async setRoles(user_id: string, role_ids: readonly string[]): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(
      sql`DELETE FROM user_role_link WHERE tenant_id = ${tenant_id} AND user_id = ${user_id} AND role_id <> ALL(${[...role_ids]}::uuid[])`,
    );
    if (role_ids.length > 0)
      await tx.execute(
        sql`INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT ${tenant_id}::uuid, ${user_id}::uuid, x FROM unnest(${[...role_ids]}::uuid[]) x ON CONFLICT DO NOTHING`,
      );
  }

  /** Revokes what keys a former member still has; their ids. */
  async revokeKeys(user_id: string, by: string | null): Promise<string[]> {
    const rows = await this.db.current().query<{ key_id: string }>(
      sql`UPDATE api_key SET key_revoked_at = now(), key_revoke_reason = 'owner_removed', key_revoked_by = ${by}::uuid, key_updated = now(), row_version = row_version + 1
          WHERE tenant_id = ${requireScope().tenant_id} AND key_user = ${user_id} AND key_revoked_at IS NULL RETURNING key_id`,
    );
    return rows.map((row) => row.key_id);
  }

  /** How many other workspaces the person belongs to. */
  async countMembershipsElsewhere(user_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ others: number }>(
        sql`SELECT count(*) AS others FROM auth_memberships(${user_id}::uuid) WHERE ws_id <> ${requireScope().tenant_id}`,
      );
    return row?.others ?? 0;
  }

  /** Signs a member out of this workspace; sessions end altogether where the person belongs to no other. How many opened it. */
  async endSessions(user_id: string): Promise<number> {
    const row = await this.db.current().first<{ ended: number }>(sql`SELECT people_sign_out(${user_id}::uuid) AS ended`);
    return row?.ended ?? 0;
  }

  async disableMfa(user_id: string): Promise<boolean> {
    const row = await this.db.current().first<{ off: boolean }>(sql`SELECT auth_mfa_off(${user_id}::uuid) AS off`);
    return row?.off ?? false;
  }
}

function withRoles<U extends { readonly user_id: string }>(
  user: U,
  known: ReadonlyMap<string, readonly RoleOfUser[]>,
): U & { user_roles: string[]; roles: readonly RoleOfUser[] } {
  const roles = known.get(user.user_id) ?? [];
  return { ...user, user_roles: roles.map((role) => role.role_id), roles };
}
