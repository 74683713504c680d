import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

export interface RoleOfAsked {
  readonly role_id: string;
  readonly role_name: string;
  readonly role_permissions: readonly string[];
}

export interface KeyOfAsked {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_user: string;
  readonly key_scopes: readonly string[] | null;
  readonly key_ip_allow: readonly string[];
  readonly key_status: 'active' | 'expired' | 'revoked';
  readonly key_last_used_ip: string | null;
}

/** Somebody whose access is asked about, with what `auth_facts` says of them: the same that admits them when they call. */
export interface AskedCaller<F> {
  readonly facts: F;
  readonly user_id: string;
  readonly user_name: string;
  readonly roles: readonly RoleOfAsked[];
  readonly session: { readonly ses_ip: string | null; readonly ses_methods: readonly string[] } | null;
}

/** Reads the current access of a member, whichever caller asks. */
@Injectable()
export class AskedCallers {
  constructor(private readonly db: Database) {}

  async findMember<F>(user_id: string): Promise<AskedCaller<F> | undefined> {
    const { tenant_id } = requireScope();
    return this.db.current().first<AskedCaller<F> & Record<string, unknown>>(
      sql`SELECT u.user_id, u.user_name, auth_facts(u.tenant_id, u.user_id) AS facts,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('role_id', r.role_id, 'role_name', r.role_name, 'role_permissions', r.role_permissions) ORDER BY r.role_name), '[]')
             FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id) AS roles,
            (SELECT jsonb_build_object('ses_ip', s.ses_ip, 'ses_methods', s.ses_methods) FROM auth_sessions(u.user_id, NULL, NULL, 1) s) AS session
          FROM workspace_user u WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id}`,
    );
  }

  findKey(key_id: string): Promise<KeyOfAsked | undefined> {
    return this.db.current().first<KeyOfAsked & Record<string, unknown>>(
      sql`SELECT key_id, key_name, key_user, key_scopes, key_ip_allow, key_last_used_ip, CASE WHEN key_revoked_at IS NOT NULL THEN 'revoked' WHEN key_expires_at <= now() THEN 'expired' ELSE 'active' END AS key_status
          FROM api_key WHERE tenant_id = ${requireScope().tenant_id} AND key_id = ${key_id}`,
    );
  }
}
