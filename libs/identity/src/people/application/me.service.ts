import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, sql, type Versioned } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';

interface MeRow {
  readonly row_version: number;
  readonly user: Record<string, unknown>;
  readonly roles: readonly Record<string, unknown>[];
  readonly workspace: Record<string, unknown>;
  readonly key: Record<string, unknown> | null;
}

/** The caller with all that is known of them here; the version is that of the membership. */
export interface MeAnswer extends Versioned {
  readonly user: Record<string, unknown>;
  readonly [part: string]: unknown;
}

/** The caller as the service sees it. */
@Injectable()
export class MeService {
  constructor(private readonly db: Database) {}

  async get(caller: Principal): Promise<MeAnswer> {
    const row = await this.db.read((tx) =>
      tx.first<MeRow & Record<string, unknown>>(
        sql`SELECT u.row_version, jsonb_build_object('user_id', u.user_id, 'user_kind', u.user_kind, 'user_email', u.user_email, 'user_name', u.user_name, 'user_title', u.user_title,
                     'user_avatar_file', u.user_avatar_file, 'user_locale', coalesce(u.user_locale, w.ws_locale), 'user_timezone', coalesce(u.user_timezone, w.ws_timezone),
                     'user_status', u.user_status, 'user_pref', u.user_pref) AS user,
                   (SELECT coalesce(jsonb_agg(jsonb_build_object('role_id', r.role_id, 'role_key', r.role_key, 'role_name', r.role_name) ORDER BY r.role_name), '[]')
                    FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id) AS roles,
                   jsonb_build_object('ws_id', w.ws_id, 'ws_name', w.ws_name, 'ws_slug', w.ws_slug, 'ws_locale', w.ws_locale, 'ws_timezone', w.ws_timezone, 'ws_brand_version', w.ws_brand_version) AS workspace,
                   (SELECT jsonb_build_object('key_id', k.key_id, 'key_name', k.key_name, 'key_prefix', 'atk_' || k.key_public_id, 'key_scopes', k.key_scopes, 'key_expires_at', k.key_expires_at)
                    FROM api_key k WHERE k.tenant_id = u.tenant_id AND k.key_id = ${caller.key_id}) AS key
            FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.tenant_id = ${caller.tenant_id} AND u.user_id = ${caller.user_id}`,
      ),
    );
    if (!row) throw notFound('member');
    return {
      row_version: row.row_version,
      principal_kind: caller.kind,
      user: row.user,
      roles: row.roles,
      permissions: caller.permissions.list(),
      modules: [...caller.modules].sort(),
      workspace: row.workspace,
      key: row.key,
      session: caller.session_id ? { ses_id: caller.session_id, ses_methods: caller.methods } : null,
      extension: null,
    };
  }
}
