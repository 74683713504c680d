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
} from '@atrium/platform/database';
import { ApiKey } from '../domain/key';

type Hidden =
  | 'tenant_id'
  | 'row_version'
  | 'key_public_id'
  | 'key_hash'
  | 'key_prev_hash'
  | 'key_prev_expires_at'
  | 'key_rotated_at'
  | 'statusAt'
  | 'assertActive'
  | 'rotate'
  | 'revoke'
  | 'touch';

/** A key as clients see it. */
export type KeyRow = Omit<ApiKey, Hidden>;

export interface KeyFilters extends ListParameters {
  readonly key_status?: string;
  readonly unused_days?: number;
}

/** Who a key is to act as, with what their roles grant; and what the workspace says about keys. */
export interface KeyOwner {
  readonly user_id: string;
  readonly user_kind: 'person' | 'service' | 'extension';
  readonly user_status: string;
  readonly user_extension: string | null;
  readonly key_max_days: number | null;
  readonly personal_keys: boolean;
}

/** A person who is notified when a key leaks. */
export interface KeyGuardian {
  readonly user_id: string;
  readonly user_email: string;
  readonly user_locale: string;
  readonly ws_name: string;
}

/** A key that is to end, and the person who holds it. */
interface ExpiringKey {
  readonly key_name: string;
  readonly key_prefix: string;
  readonly key_expires_at: string;
  readonly user_email: string;
  readonly ws_name: string;
  readonly locale: string;
}

const LIVE = sql`r.key_revoked_at IS NULL AND (r.key_expires_at IS NULL OR r.key_expires_at > now())`;
const STATUS = sql`CASE WHEN r.key_revoked_at IS NOT NULL THEN 'revoked' WHEN r.key_expires_at <= now() THEN 'expired' ELSE 'active' END AS key_status`;
const BY_STATUS: Readonly<Record<string, Sql>> = {
  active: LIVE,
  expired: sql`r.key_revoked_at IS NULL AND r.key_expires_at <= now()`,
  revoked: sql`r.key_revoked_at IS NOT NULL`,
};

/** API keys; their hashes never leave. */
@Injectable()
export class KeysRepository extends ResourceRepository<ApiKey> {
  constructor(db: Database) {
    super(db, ApiKey, 'API key');
  }

  listKeys(query: KeyFilters, owner?: string): Promise<Page<KeyRow>> {
    const { key_status, unused_days } = query;
    const conditions = [
      key_status === undefined ? sql`true` : (BY_STATUS[key_status] ?? sql`false`),
      unused_days === undefined ? sql`true` : sql`coalesce(r.key_last_used_at, r.key_created) < now() - ${unused_days} * interval '1 day'`,
      owner === undefined ? sql`true` : sql`r.key_user = ${owner}`,
    ];
    return listPage<KeyRow>(this.db.current(), ApiKey, query, { where: join(conditions, ' AND '), select: STATUS });
  }

  findKeyDetail(id: string): Promise<(KeyRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(ApiKey)}, r.row_version, ${STATUS} FROM api_key r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.key_id = ${id}`,
      );
  }

  /** The owner of a key to be made, locked: keys of one owner are counted by one at a time. */
  lockOwner(user_id: string): Promise<KeyOwner | undefined> {
    return this.db.current().first<KeyOwner & Record<string, unknown>>(
      sql`SELECT u.user_id, u.user_kind, u.user_status, u.user_extension, (w.ws_security ->> 'key_max_days')::integer AS key_max_days, coalesce((w.ws_security ->> 'personal_keys')::boolean, true) AS personal_keys
          FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.tenant_id = ${requireScope().tenant_id} AND u.user_id = ${user_id} FOR NO KEY UPDATE OF u`,
    );
  }

  async countActiveKeys(user_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM api_key r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.key_user = ${user_id} AND ${LIVE}`,
      );
    return row?.count ?? 0;
  }

  /** When a key ends: null for one that never does, undefined for one that is gone. */
  async endOf(key_id: string): Promise<Date | null | undefined> {
    const row = await this.db
      .current()
      .first<{ key_expires_at: string | null }>(
        sql`SELECT key_expires_at FROM api_key WHERE tenant_id = ${requireScope().tenant_id} AND key_id = ${key_id}`,
      );
    return row && (row.key_expires_at === null ? null : new Date(row.key_expires_at));
  }

  /** A key that has not ended, with the active person who holds it; undefined for keys of services and extensions. */
  findExpiringKey(key_id: string): Promise<ExpiringKey | undefined> {
    return this.db.current().first<ExpiringKey & Record<string, unknown>>(
      sql`SELECT k.key_name, k.key_prefix, k.key_expires_at, u.user_email, w.ws_name, coalesce(u.user_locale, w.ws_locale) AS locale
            FROM api_key k JOIN workspace_user u ON u.tenant_id = k.tenant_id AND u.user_id = k.key_user JOIN workspace w ON w.tenant_id = k.tenant_id
            WHERE k.tenant_id = ${requireScope().tenant_id} AND k.key_id = ${key_id}::uuid AND k.key_revoked_at IS NULL AND k.key_expires_at > now()
              AND u.user_kind = 'person' AND u.user_status = 'active' AND u.user_email IS NOT NULL`,
    );
  }

  /** The owner of a key, where a person, and everyone who administers keys. */
  listGuardians(user_id: string, most: number): Promise<KeyGuardian[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<KeyGuardian & Record<string, unknown>>(
      sql`SELECT u.user_id, u.user_email, coalesce(u.user_locale, w.ws_locale) AS user_locale, w.ws_name FROM workspace_user u JOIN workspace w USING (tenant_id)
          WHERE u.tenant_id = ${tenant_id} AND u.user_kind = 'person' AND u.user_status = 'active' AND u.user_email IS NOT NULL
            AND (u.user_id = ${user_id} OR u.user_id IN (
              SELECT l.user_id FROM role o JOIN user_role_link l USING (tenant_id, role_id) WHERE o.tenant_id = ${tenant_id} AND o.role_permissions && ARRAY['*', 'admin:*', 'admin:api-keys']))
          ORDER BY u.user_id = ${user_id} DESC, u.user_created, u.user_id LIMIT ${most}`,
    );
  }
}

/** Live keys of any workspace that are known whole. */
@Injectable()
export class LeakedKeys {
  constructor(private readonly db: Database) {}

  findLeakedKeys(keys: readonly { readonly public_id: string; readonly hash: string }[]): Promise<{ tenant_id: string; key_id: string }[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<{ tenant_id: string; key_id: string }>(
        sql`SELECT * FROM auth_find_leaked(${keys.map((key) => key.public_id)}::text[], ${keys.map((key) => key.hash)}::text[])`,
      ),
    );
  }
}
