import { Injectable } from '@nestjs/common';
import type { CallerFacts, Requester } from '@atrium/platform/access';
import { Database, requireScope, sql, type PlainQuery } from '@atrium/platform/database';
import type { SecurityRules } from '../domain/security-rules';

/** What `auth_facts` answers about one member of one workspace. */
export interface MemberFacts {
  readonly stamp: string;
  readonly ws_status: string;
  readonly ws_status_reason: string | null;
  readonly security: SecurityRules;
  readonly mfa: boolean;
  readonly user_kind: CallerFacts['kind'];
  readonly user_status: string;
  /** Sessions that began before are refused here. */
  readonly signed_out_at: string | null;
  readonly acc_status: string | null;
  readonly role_ids: readonly string[];
  readonly space_ids: readonly string[];
  readonly grants: readonly string[];
  readonly licenses: readonly { readonly module: string; readonly from: string; readonly until: string | null }[];
}

/** A key with what decides about its owner. */
export interface KeyRow {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly key_hash: string;
  /** The one before, good until an overlap ends. */
  readonly key_prev_hash: string | null;
  readonly key_prev_expires_at: string | null;
  readonly key_ip_allow: readonly string[];
  readonly key_rate_limit: number | null;
  readonly key_user: string;
  readonly key_scopes: readonly string[] | null;
  readonly key_expires_at: string | null;
  readonly key_revoked_at: string | null;
  readonly facts: MemberFacts | null;
}

/** A session with what decides about its person in one workspace. */
export interface SessionRow {
  readonly ses_id: string;
  readonly acc_id: string;
  readonly ses_created: string;
  readonly ses_last_used_at: string;
  readonly ses_expires_at: string;
  readonly ses_methods: readonly string[];
  /** The one workspace it opens, whose issuer vouched for it; else null. */
  readonly ses_tenant: string | null;
  readonly ses_ended_at: string | null;
  readonly facts: MemberFacts | null;
}

/** A member for whom background work is done, with the key that requested it. */
interface RequesterRow {
  readonly facts: MemberFacts | null;
  readonly key_scopes: readonly string[] | null;
  readonly key_good: boolean;
}

/** The use of a key or of a membership. */
type CallerUse = Pick<CallerFacts, 'tenant_id' | 'user_id' | 'key_id' | 'session_id'>;

type Row<T> = T & Record<string, unknown>;

/** Callers by what they present, with all that decides what they may do: each is loaded by one statement. */
@Injectable()
export class CallerRows {
  constructor(private readonly db: Database) {}

  /** A key of any workspace, by the part of it that is public. */
  async findKey(query: PlainQuery, public_id: string): Promise<KeyRow | undefined> {
    const [row] = await query('SELECT k.*, auth_facts(k.tenant_id, k.key_user) AS facts FROM auth_find_key($1) k', [public_id]);
    return row as Row<KeyRow> | undefined;
  }

  async findSession(query: PlainQuery, session_id: string, tenant_id: string | null): Promise<SessionRow | undefined> {
    const [row] = await query('SELECT s.*, auth_facts($2::uuid, s.acc_id) AS facts FROM auth_find_session($1) s', [session_id, tenant_id]);
    return row as Row<SessionRow> | undefined;
  }

  /** A session with the state of its account, of no workspace. */
  findAccountSession(session_id: string): Promise<(SessionRow & { readonly acc_status: string }) | undefined> {
    return this.db.acrossTenants((tx) =>
      tx.first<Row<SessionRow & { readonly acc_status: string }>>(
        'SELECT s.*, a.acc_status FROM auth_find_session($1) s JOIN auth_account(s.acc_id) a USING (acc_id)',
        [session_id],
      ),
    );
  }

  async recordUse({ tenant_id, user_id, key_id, session_id }: CallerUse, address: string | null): Promise<void> {
    await this.db.acrossTenants((tx) =>
      tx.query('SELECT auth_touch($1, $2, $3, $4, $5)', [tenant_id, user_id, key_id, session_id, address]),
    );
  }

  /** A member and, where one is named, a key of theirs; undefined without either. */
  async findRequester({ user_id, key_id }: Requester, now: Date): Promise<RequesterRow | undefined> {
    const { tenant_id } = requireScope();
    const [row] = await this.db.query<Row<RequesterRow>>(
      sql`
        SELECT auth_facts(u.tenant_id, u.user_id) AS facts, k.key_scopes, k.key_revoked_at IS NULL AND (k.key_expires_at IS NULL OR k.key_expires_at > ${now}) AS key_good
        FROM workspace_user u LEFT JOIN api_key k ON k.tenant_id = u.tenant_id AND k.key_user = u.user_id AND k.key_id = ${key_id}::uuid
        WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id}::uuid AND (${key_id}::uuid IS NULL OR k.key_id IS NOT NULL)`,
    );
    return row;
  }

  listMemberFacts(user_ids: readonly string[]): Promise<{ readonly user_id: string; readonly facts: MemberFacts | null }[]> {
    const { tenant_id } = requireScope();
    return this.db
      .current()
      .query<{ user_id: string; facts: MemberFacts | null }>(
        sql`SELECT u.user_id, auth_facts(u.tenant_id, u.user_id) AS facts FROM workspace_user u WHERE u.tenant_id = ${tenant_id} AND u.user_id = ANY(${[...user_ids]}::uuid[])`,
      );
  }
}
