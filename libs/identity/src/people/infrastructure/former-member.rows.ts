import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** Tables of an account that belong to no workspace, by what of a person they hold. */
export type AccountRecords = Readonly<Record<'account' | 'account_session' | 'account_token', readonly JsonObject[]>>;

/** A member as somebody else asks for their data. */
export interface KnownPerson {
  readonly user_id: string;
  readonly user_email: string | null;
  readonly user_kind: string;
}

/** Members whose data is exported or erased, with their accounts. Within a unit of work. */
@Injectable()
export class FormerMemberRows {
  constructor(private readonly db: Database) {}

  /** The member with the id, or with the address. */
  findPerson(by: { readonly user_id: string } | { readonly email: string }): Promise<KnownPerson | undefined> {
    const { tenant_id } = requireScope();
    const which = 'user_id' in by ? sql`user_id = ${by.user_id}` : sql`user_email = ${by.email}`;
    return this.db
      .current()
      .first<KnownPerson & Record<string, unknown>>(
        sql`SELECT user_id, user_email, user_kind FROM workspace_user WHERE tenant_id = ${tenant_id} AND ${which}`,
      );
  }

  /** The name of a member that no other member has, and that is not the one of former members. */
  async findUniqueName(user_id: string, former: string): Promise<string | null> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ user_name: string }>(sql`
        SELECT u.user_name FROM workspace_user u WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id} AND u.user_name <> ${former}
          AND NOT EXISTS (SELECT FROM workspace_user o WHERE o.tenant_id = u.tenant_id AND o.user_id <> u.user_id AND folded(o.user_name) = folded(u.user_name))`);
    return row?.user_name ?? null;
  }

  async findAccountRecords(user_id: string): Promise<AccountRecords | null> {
    const row = await this.db.current().first<{ records: AccountRecords | null }>(sql`SELECT auth_person(${user_id}::uuid) AS records`);
    return row?.records ?? null;
  }

  /** Takes everything out of the membership but its id. False when that was done before. */
  async eraseMember(user_id: string, former: string): Promise<boolean> {
    const { tenant_id } = requireScope();
    const erased = await this.db.current().execute(sql`
        UPDATE workspace_user SET user_status = 'removed', user_name = ${former}, user_email = NULL, user_title = NULL, user_avatar_file = NULL, user_locale = NULL, user_timezone = NULL,
          user_pref = '{}', user_metadata = '{}', user_external_id = NULL, user_issuer = NULL, user_last_seen_at = NULL, user_mfa = false,
          user_invited_by = NULL, user_invited_at = NULL, user_invite_expires_at = NULL, user_invite_error = NULL, user_updated = now(), row_version = row_version + 1
        WHERE tenant_id = ${tenant_id} AND user_id = ${user_id} AND (user_status <> 'removed' OR user_email IS NOT NULL OR user_name <> ${former})`);
    return erased > 0;
  }

  /** Ends sessions of this workspace, and the account where no other workspace knows the person. Whether the account is erased. */
  async eraseAccount(user_id: string): Promise<boolean> {
    const row = await this.db.current().first<{ erased: boolean }>(sql`SELECT auth_forget_person(${user_id}::uuid) AS erased`);
    return row?.erased ?? false;
  }
}
