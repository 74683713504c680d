import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Somebody an issuer may mean: a member, in whatever state. */
export interface KnownMember {
  readonly user_id: string;
  readonly user_status: 'invited' | 'active' | 'suspended' | 'removed';
  readonly acc_status: string;
  readonly grants: readonly string[];
  readonly role_ids: readonly string[];
}

const FACTS = sql`u.user_id, u.user_status, (SELECT a.acc_status FROM auth_account(u.user_id) a) AS acc_status,
  ARRAY(SELECT DISTINCT g FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id) AS grants,
  ARRAY(SELECT l.role_id FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id) AS role_ids`;

/** Whom subjects of issuers mean among the members of the workspace. */
@Injectable()
export class AccountLinks {
  constructor(private readonly db: Database) {}

  findMemberBySubject(iss_id: string, subject: string): Promise<KnownMember | undefined> {
    return this.db.current().first<KnownMember & Record<string, unknown>>(
      sql`SELECT ${FACTS} FROM account_link k JOIN workspace_user u ON u.tenant_id = k.tenant_id AND u.user_id = k.link_account
          WHERE k.tenant_id = ${requireScope().tenant_id} AND k.link_issuer = ${iss_id} AND k.link_subject = ${subject}`,
    );
  }

  findMemberByAddress(email: string): Promise<KnownMember | undefined> {
    return this.db
      .current()
      .first<KnownMember & Record<string, unknown>>(
        sql`SELECT ${FACTS} FROM workspace_user u WHERE u.tenant_id = ${requireScope().tenant_id} AND u.user_email = ${email} AND u.user_kind = 'person'`,
      );
  }

  /** The first link of a subject stays. */
  async linkAccount(iss_id: string, subject: string, user_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`INSERT INTO account_link (tenant_id, link_issuer, link_subject, link_account) VALUES (${requireScope().tenant_id}, ${iss_id}, ${subject}, ${user_id}) ON CONFLICT DO NOTHING`,
      );
  }
}
