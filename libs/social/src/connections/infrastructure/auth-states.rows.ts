import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { Platform } from '../../network/domain/platforms';

/** An authorization that was begun. */
export interface AuthState {
  readonly auth_id: string;
  readonly state_hash: string;
  readonly user_id: string;
  readonly platform: Platform;
  readonly redirect_uri: string;
  readonly expires: Date;
}

/** What a callback must match. */
export type AuthClaim = Pick<AuthState, 'user_id' | 'platform' | 'redirect_uri'>;

/** Authorizations that were begun; each is used once. */
@Injectable()
export class AuthStateRows {
  constructor(private readonly db: Database) {}

  async insertState({ auth_id, state_hash, user_id, platform, redirect_uri, expires }: AuthState): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(
      sql`DELETE FROM social_auth WHERE tenant_id = ${tenant_id} AND auth_user = ${user_id} AND auth_expires < now() - interval '1 day'`,
    );
    await tx.execute(
      sql`INSERT INTO social_auth (tenant_id, auth_id, auth_state_hash, auth_user, auth_platform, auth_redirect_uri, auth_expires)
          VALUES (${tenant_id}, ${auth_id}, ${state_hash}, ${user_id}, ${platform}, ${redirect_uri}, ${expires})`,
    );
  }

  /** Uses the state up; false unless it is live, of this person, and leads back to the same address. */
  async spendState(state_hash: string, claim: AuthClaim, now: Date): Promise<boolean> {
    const spent = await this.db.current().execute(
      sql`UPDATE social_auth SET auth_used = ${now} WHERE tenant_id = ${requireScope().tenant_id} AND auth_state_hash = ${state_hash} AND auth_user = ${claim.user_id}
          AND auth_platform = ${claim.platform} AND auth_redirect_uri = ${claim.redirect_uri} AND auth_used IS NULL AND auth_expires > ${now}`,
    );
    return spent === 1;
  }

  /** Where a client lost the state: uses up the only live authorization of the person; false unless there is exactly one. */
  async spendOnlyState(claim: AuthClaim, now: Date): Promise<boolean> {
    const rows = await this.db.current().query<{ auth_state_hash: string }>(
      sql`SELECT auth_state_hash FROM social_auth WHERE tenant_id = ${requireScope().tenant_id} AND auth_user = ${claim.user_id} AND auth_platform = ${claim.platform}
          AND auth_redirect_uri = ${claim.redirect_uri} AND auth_used IS NULL AND auth_expires > ${now} LIMIT 2 FOR UPDATE`,
    );
    const [only] = rows;
    return only !== undefined && rows.length === 1 && this.spendState(only.auth_state_hash, claim, now);
  }
}
