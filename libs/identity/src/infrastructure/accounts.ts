import { Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@atrium/platform/database';

/** An account as the functions of the database answer it; nothing of it leaves the service. */
export type AccountRow = {
  readonly acc_id: string;
  /** Null for services and extensions. */
  readonly acc_email: string | null;
  readonly acc_password_hash: string | null;
  readonly acc_password_changed_at: string | null;
  /** Sealed; null without a second factor. */
  readonly acc_totp: string | null;
  readonly acc_totp_pending: string | null;
  readonly acc_totp_pending_until: string | null;
  readonly acc_status: string;
};

/** The account behind a token that is still good. */
export type TokenHolder = Pick<AccountRow, 'acc_id' | 'acc_email' | 'acc_totp'> & { readonly tok_email: string | null; readonly tok_tenant: string | null };

export type TokenKind = 'reset' | 'email' | 'mfa';

export interface NewToken {
  readonly hash: string;
  readonly acc_id: string;
  readonly kind: TokenKind;
  readonly lifeSeconds: number;
  readonly email?: string | null;
  readonly tenant_id?: string | null;
}

/** What the workspaces of a person demand together. */
export interface AccountRules {
  readonly require_mfa: boolean;
  /** The domains of each workspace that limits them. */
  readonly email_domains: readonly (readonly string[])[];
}

/** Statements about accounts: they belong to no workspace and are reached by definer functions alone, from any unit of work. */
@Injectable()
export class Accounts {
  byEmail(tx: UnitOfWork, email: string): Promise<AccountRow | undefined> {
    return tx.first<AccountRow>('SELECT * FROM auth_find_account($1)', [email]);
  }

  byId(tx: UnitOfWork, acc_id: string): Promise<AccountRow | undefined> {
    return tx.first<AccountRow>('SELECT * FROM auth_account($1)', [acc_id]);
  }

  async rules(tx: UnitOfWork, acc_id: string): Promise<AccountRules> {
    const row = await tx.first<{ rules: AccountRules }>('SELECT auth_account_rules($1) AS rules', [acc_id]);
    return row?.rules ?? { require_mfa: false, email_domains: [] };
  }

  /** False when the person was sent too many of that kind lately. */
  addToken(tx: UnitOfWork, { hash, acc_id, kind, lifeSeconds, email = null, tenant_id = null }: NewToken): Promise<boolean> {
    return flag(tx, 'SELECT auth_add_token($1, $2, $3, $4, $5, $6) AS done', [hash, acc_id, kind, lifeSeconds, email, tenant_id]);
  }

  holderOf(tx: UnitOfWork, hash: string, kind: TokenKind): Promise<TokenHolder | undefined> {
    return tx.first<TokenHolder>('SELECT * FROM auth_find_token($1, $2)', [hash, kind]);
  }

  /** Replaces the hash by one of the same password. */
  async rehash(tx: UnitOfWork, acc_id: string, from: string, to: string): Promise<void> {
    await tx.query('SELECT auth_rehash_password($1, $2, $3)', [acc_id, from, to]);
  }

  /** A new password, if the old one still is what it was; all sessions end but one. */
  setPassword(tx: UnitOfWork, acc_id: string, from: string | null, to: string, keep: string | null): Promise<boolean> {
    return flag(tx, 'SELECT auth_set_password($1, $2, $3, $4) AS done', [acc_id, from, to, keep]);
  }

  /** Spends a reset token; whose it was, or null. */
  async resetPassword(tx: UnitOfWork, hash: string, to: string): Promise<string | null> {
    return (await tx.first<{ acc_id: string | null }>('SELECT auth_reset_password($1, $2) AS acc_id', [hash, to]))?.acc_id ?? null;
  }

  /** Spends a confirmation of an address; the change, or null. */
  async confirmEmail(tx: UnitOfWork, hash: string): Promise<{ acc_id: string; before: string | null; after: string } | null> {
    return (await tx.first<{ change: { acc_id: string; before: string | null; after: string } | null }>('SELECT auth_confirm_email($1) AS change', [hash]))?.change ?? null;
  }
}

/** The answer of a function that says whether it did something. */
export const flag = async (tx: UnitOfWork, statement: string, values: readonly unknown[]): Promise<boolean> => (await tx.first<{ done: boolean }>(statement, values))?.done ?? false;
