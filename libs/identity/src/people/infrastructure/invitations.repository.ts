import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** An invitation as the hash of its link finds it, whatever its workspace. */
export interface FoundInvitation {
  readonly tenant_id: string;
  readonly inv_id: string;
  readonly user_id: string;
  readonly ws_name: string;
  readonly ws_status: string;
  readonly user_email: string;
  readonly user_name: string;
  /** Only the mailbox has seen the link: it was mailed, and shown to nobody. */
  readonly inv_mailed: boolean;
  readonly acc_password_hash: string | null;
  readonly acc_proven: boolean;
  /** Somebody may have made the account their own: by a password, a proof of the address, an issuer or another membership. */
  readonly acc_used: boolean;
  /** A second factor is enrolled. */
  readonly acc_mfa: boolean;
  readonly live: boolean;
}

export type InvitationEnd = 'accepted' | 'replaced' | 'revoked';

/** Links that were sent, by their hashes; a member has at most one that is open. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly db: Database) {}

  findInvitation(hash: string): Promise<FoundInvitation | undefined> {
    return this.db.acrossTenants((tx) =>
      tx.first<FoundInvitation & Record<string, unknown>>('SELECT * FROM people_find_invitation($1)', [hash]),
    );
  }

  /** A new open link; the one before is replaced. */
  async openInvitation(invitation: {
    readonly inv_id: string;
    readonly user_id: string;
    readonly hash: string;
    readonly by: string | null;
    readonly expires: Date;
    readonly resent: boolean;
    readonly mailed: boolean;
  }): Promise<void> {
    await this.endOpenInvitation(invitation.user_id, 'replaced');
    await this.db.current().execute(
      sql`INSERT INTO invitation (tenant_id, inv_id, inv_user, inv_hash, inv_created_by, inv_expires_at, inv_resent, inv_mailed)
          VALUES (${requireScope().tenant_id}, ${invitation.inv_id}, ${invitation.user_id}, ${invitation.hash}, ${invitation.by}::uuid, ${invitation.expires}, ${invitation.resent}, ${invitation.mailed})`,
    );
  }

  /** Ends the open link of a member. */
  async endOpenInvitation(user_id: string, how: InvitationEnd): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE invitation SET inv_ended_at = now(), inv_end = ${how} WHERE tenant_id = ${requireScope().tenant_id} AND inv_user = ${user_id} AND inv_ended_at IS NULL`,
      );
  }

  /** Spends one link; false when somebody was quicker or its time is over. */
  async redeemInvitation(inv_id: string): Promise<boolean> {
    const spent = await this.db
      .current()
      .execute(
        sql`UPDATE invitation SET inv_ended_at = now(), inv_end = 'accepted' WHERE tenant_id = ${requireScope().tenant_id} AND inv_id = ${inv_id} AND inv_ended_at IS NULL AND inv_expires_at > now()`,
      );
    return spent === 1;
  }

  /** When links were sent to a member again within the last day, latest first. */
  async findResentTimes(user_id: string): Promise<Date[]> {
    const rows = await this.db
      .current()
      .query<{ inv_created: string }>(
        sql`SELECT inv_created FROM invitation WHERE tenant_id = ${requireScope().tenant_id} AND inv_user = ${user_id} AND inv_resent AND inv_created > now() - interval '1 day' ORDER BY inv_created DESC`,
      );
    return rows.map((row) => new Date(row.inv_created));
  }

  /** The same as the unit of work at hand sees it. */
  findInvitationInTransaction(hash: string): Promise<FoundInvitation | undefined> {
    return this.db.current().first<FoundInvitation & Record<string, unknown>>(sql`SELECT * FROM people_find_invitation(${hash})`);
  }

  /** A first password by a link; what a stranger put into the account before is taken out. False when the account became somebody's in the meantime. */
  async claimAccount(user_id: string, password_hash: string, mailed: boolean): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ done: boolean }>(sql`SELECT people_claim(${user_id}::uuid, ${password_hash}, ${mailed}) AS done`);
    return row?.done ?? false;
  }

  /** The mailbox of a person has answered. */
  async confirmMailbox(user_id: string): Promise<void> {
    await this.db.current().query(sql`SELECT people_proved(${user_id}::uuid)`);
  }
}
