import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { Issuer } from '../domain/issuer';

export type IssuerRow = Omit<Issuer, 'tenant_id' | 'row_version' | 'iss_trusted' | 'take' | 'speaksFor' | 'mapped'>;

/** Where the keys of an issuer were asked for: what is fetched counts only while it is still there. */
export type KeySource = Pick<Issuer, 'iss_id' | 'iss_issuer' | 'iss_jwks_url'>;

export interface StoredKeys {
  readonly keys: readonly JsonObject[];
  readonly fetched_at: string;
}

/** An active issuer of any workspace. */
export interface DueIssuer {
  readonly tenant_id: string;
  readonly iss_id: string;
}

/** Issuers of the workspace, and their public keys as they were fetched last. */
@Injectable()
export class IssuersRepository extends ResourceRepository<Issuer> {
  constructor(db: Database) {
    super(db, Issuer, 'issuer');
  }

  listIssuers(query: ListParameters): Promise<Page<IssuerRow>> {
    return listPage<IssuerRow>(this.db.current(), Issuer, query);
  }

  /** The issuer that is asked about tokens of this `iss`; null when the workspace trusts none. */
  async findTrustedIssuer(iss: string): Promise<Issuer | null> {
    const row = await this.db
      .current()
      .first<{ iss_id: string }>(
        sql`SELECT iss_id FROM issuer WHERE tenant_id = ${requireScope().tenant_id} AND iss_issuer = ${iss} AND iss_active`,
      );
    return row ? this.findRow(row.iss_id) : null;
  }

  /** The state of the workspace, while the issuer is trusted as it was read; held so until the unit of work ends. Else null. */
  async lockTrustedIssuer({ iss_id, row_version }: Issuer): Promise<string | null> {
    const row = await this.db.current().first<{ ws_status: string }>(
      sql`SELECT w.ws_status FROM issuer i JOIN workspace w USING (tenant_id)
          WHERE i.tenant_id = ${requireScope().tenant_id} AND i.iss_id = ${iss_id} AND i.row_version = ${row_version} AND i.iss_active FOR SHARE OF i`,
    );
    return row?.ws_status ?? null;
  }

  /** The owner role, when this member is the only active person who holds it. */
  async findLastOwnerRole(user_id: string): Promise<string | null> {
    const row = await this.db.current().first<{ role_id: string; holders: string[] }>(
      sql`SELECT r.role_id, ARRAY(SELECT u.user_id FROM user_role_link l JOIN workspace_user u USING (tenant_id, user_id)
            WHERE l.tenant_id = r.tenant_id AND l.role_id = r.role_id AND u.user_kind = 'person' AND u.user_status = 'active' LIMIT 2) AS holders
          FROM role r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.role_key = 'owner'`,
    );
    return row?.holders.length === 1 && row.holders[0] === user_id ? row.role_id : null;
  }

  /** A page of the issuers of all workspaces whose keys are kept fresh, by id. */
  listDueIssuers(after: string | null, limit: number): Promise<DueIssuer[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<DueIssuer & Record<string, unknown>>('SELECT * FROM issuers_due($1, $2)', [after, limit]),
    );
  }

  async findStoredKeys(iss_id: string): Promise<StoredKeys | undefined> {
    return this.db
      .current()
      .first<StoredKeys & Record<string, unknown>>(
        sql`SELECT ik_jwks AS keys, ik_fetched_at AS fetched_at FROM issuer_keys WHERE tenant_id = ${requireScope().tenant_id} AND ik_issuer = ${iss_id}`,
      );
  }

  /** Whether the keys may be asked for now: at most once in so many seconds, whichever caller asks. */
  async mayAsk(iss_id: string, seconds: number): Promise<boolean> {
    const asked = await this.db
      .current()
      .execute(
        sql`UPDATE issuer_keys SET ik_asked_at = now() WHERE tenant_id = ${requireScope().tenant_id} AND ik_issuer = ${iss_id} AND ik_asked_at <= now() - ${seconds}::integer * interval '1 second'`,
      );
    return asked === 1;
  }

  /** Keeps keys that were fetched, unless the issuer points elsewhere by now. */
  async saveKeys({ iss_id, iss_issuer, iss_jwks_url }: KeySource, keys: readonly JsonObject[]): Promise<void> {
    const { tenant_id } = requireScope();
    const kept = await this.db.current().execute(
      sql`INSERT INTO issuer_keys (tenant_id, ik_issuer, ik_jwks, ik_fetched_at, ik_asked_at)
          SELECT tenant_id, iss_id, ${JSON.stringify(keys)}::jsonb, now(), now() FROM issuer
          WHERE tenant_id = ${tenant_id} AND iss_id = ${iss_id} AND iss_issuer = ${iss_issuer} AND iss_jwks_url IS NOT DISTINCT FROM ${iss_jwks_url}::text
          ON CONFLICT (tenant_id, ik_issuer) DO UPDATE SET ik_jwks = excluded.ik_jwks, ik_fetched_at = excluded.ik_fetched_at, ik_asked_at = excluded.ik_asked_at`,
    );
    if (kept === 1) await this.noteCheck(iss_id, null);
  }

  /** How the last asking went; no change of the issuer itself. */
  async noteCheck(iss_id: string, error: string | null): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE issuer SET iss_checked_at = now(), iss_error = ${error} WHERE tenant_id = ${requireScope().tenant_id} AND iss_id = ${iss_id}`,
      );
  }

  /** Ends the sessions it vouched for; how many. */
  async endSessions(iss_id: string): Promise<number> {
    const row = await this.db.current().first<{ ended: number }>(sql`SELECT auth_end_vouched_sessions(${iss_id}::uuid) AS ended`);
    return row?.ended ?? 0;
  }

  /** Whom its subjects meant is no longer known. */
  async forgetSubjects(iss_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM account_link WHERE tenant_id = ${requireScope().tenant_id} AND link_issuer = ${iss_id}`);
  }

  /** Members it brought in stay, as members that nobody brought in. */
  async releaseMembers(iss_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE workspace_user SET user_issuer = NULL WHERE tenant_id = ${requireScope().tenant_id} AND user_issuer = ${iss_id}`);
  }
}
