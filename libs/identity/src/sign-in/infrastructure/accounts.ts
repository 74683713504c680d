import { Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@atrium/platform/database';
import type { ReadCode } from './one-time-codes';

/** An account as the functions of the database answer it; nothing of it leaves the service. */
export type AccountRow = {
  readonly acc_id: string;
  /** Null for services and extensions. */
  readonly acc_email: string | null;
  /** When the mailbox answered, or an operator vouched for the account; null: nobody knows whose it is. */
  readonly acc_email_verified_at: string | null;
  readonly acc_password_hash: string | null;
  readonly acc_password_changed_at: string | null;
  /** Sealed; null without a second factor. */
  readonly acc_totp: string | null;
  readonly acc_totp_pending: string | null;
  readonly acc_totp_pending_until: string | null;
  readonly acc_status: string;
};

/** The account behind a token that is still good. */
export type TokenHolder = Pick<AccountRow, 'acc_id' | 'acc_email' | 'acc_totp'> & {
  readonly tok_email: string | null;
  readonly tok_tenant: string | null;
  readonly tok_invitation: string | null;
};

export type TokenKind = 'reset' | 'email' | 'mfa' | 'undo';

export interface NewToken {
  readonly hash: string;
  readonly acc_id: string;
  readonly kind: TokenKind;
  readonly lifeSeconds: number;
  readonly email?: string | null;
  readonly tenant_id?: string | null;
  /** Hash of the invitation that is accepted once the sign-in is finished. */
  readonly invitation?: string | null;
}

/** A change of the address somebody signs in with; `tenant_id` is the workspace it was asked for in. */
export interface EmailChange {
  readonly acc_id: string;
  readonly before: string;
  readonly after: string;
  readonly tenant_id: string | null;
}

export interface NewPassword {
  readonly acc_id: string;
  /** Hash of the present one. */
  readonly from: string | null;
  readonly to: string;
  /** The session that stays. */
  readonly keep: string | null;
  /** Whether the keys that the person made end too. */
  readonly revokeKeys: boolean;
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
  findAccountByEmail(tx: UnitOfWork, email: string): Promise<AccountRow | undefined> {
    return tx.first<AccountRow>('SELECT * FROM auth_find_account($1)', [email]);
  }

  findAccountById(tx: UnitOfWork, acc_id: string): Promise<AccountRow | undefined> {
    return tx.first<AccountRow>('SELECT * FROM auth_account($1)', [acc_id]);
  }

  async readAccountRules(tx: UnitOfWork, acc_id: string): Promise<AccountRules> {
    const row = await tx.first<{ rules: AccountRules }>('SELECT auth_account_rules($1) AS rules', [acc_id]);
    return row?.rules ?? { require_mfa: false, email_domains: [] };
  }

  /** False when the person was sent too many of that kind lately. */
  addToken(
    tx: UnitOfWork,
    { hash, acc_id, kind, lifeSeconds, email = null, tenant_id = null, invitation = null }: NewToken,
  ): Promise<boolean> {
    const token = {
      tok_hash: hash,
      acc_id,
      tok_kind: kind,
      tok_email: email,
      tok_tenant: tenant_id,
      tok_invitation: invitation,
      life_seconds: lifeSeconds,
    };
    return queryFlag(tx, 'SELECT auth_add_token($1::jsonb) AS done', [JSON.stringify(token)]);
  }

  findTokenHolder(tx: UnitOfWork, hash: string, kind: TokenKind): Promise<TokenHolder | undefined> {
    return tx.first<TokenHolder>('SELECT * FROM auth_find_token($1, $2)', [hash, kind]);
  }

  /** Replaces the hash by one of the same password. */
  async replaceHash(tx: UnitOfWork, acc_id: string, from: string, to: string): Promise<void> {
    await tx.query('SELECT auth_rehash_password($1, $2, $3)', [acc_id, from, to]);
  }

  /** A new password, if the present one still is what it was; whatever was begun for the account ends, and all sessions but one. */
  setPassword(tx: UnitOfWork, { acc_id, from, to, keep, revokeKeys }: NewPassword): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_set_password($1, $2, $3, $4, $5) AS done', [acc_id, from, to, keep, revokeKeys]);
  }

  /** Spends a reset token and ends whatever was begun for the account; whose it was, or null. */
  async resetPassword(tx: UnitOfWork, hash: string, to: string): Promise<string | null> {
    return (await tx.first<{ acc_id: string | null }>('SELECT auth_reset_password($1, $2) AS acc_id', [hash, to]))?.acc_id ?? null;
  }

  /** Spends a confirmation of an address and leaves a token that undoes it; the change, or null. */
  async confirmEmail(
    tx: UnitOfWork,
    hash: string,
    undo: { readonly hash: string; readonly lifeSeconds: number },
  ): Promise<EmailChange | null> {
    return (
      (
        await tx.first<{ change: EmailChange | null }>('SELECT auth_confirm_email($1, $2, $3) AS change', [
          hash,
          undo.hash,
          undo.lifeSeconds,
        ])
      )?.change ?? null
    );
  }

  /** Undoes a change of address, with a new password; the change back, or null. */
  async undoEmail(tx: UnitOfWork, hash: string, password_hash: string): Promise<EmailChange | null> {
    return (
      (await tx.first<{ change: EmailChange | null }>('SELECT auth_undo_email($1, $2) AS change', [hash, password_hash]))?.change ?? null
    );
  }

  /** A sealed secret that waits for its first code. False when a second factor is set up. */
  beginSecondFactor(tx: UnitOfWork, acc_id: string, sealed: string, lifeSeconds: number): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_mfa_begin($1, $2, $3) AS done', [acc_id, sealed, lifeSeconds]);
  }

  /** False when the secret that was pending has expired or is another one. */
  enableSecondFactor(tx: UnitOfWork, acc_id: string, pending: string, recoveryHashes: readonly string[]): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_mfa_enable($1, $2, $3) AS done', [acc_id, pending, recoveryHashes]);
  }

  /** False without a second factor. */
  replaceRecoveryCodes(tx: UnitOfWork, acc_id: string, hashes: readonly string[]): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_mfa_recovery($1, $2) AS done', [acc_id, hashes]);
  }

  /** False when the code is wrong or was used before. */
  spendCode(tx: UnitOfWork, acc_id: string, { step, recovery }: ReadCode): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_spend_code($1, $2, $3) AS done', [acc_id, step, recovery]);
  }

  removeSecondFactor(tx: UnitOfWork, acc_id: string): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_mfa_off($1) AS done', [acc_id]);
  }

  /** Spends a code together with the token of the first step; a wrong code is counted on the token. */
  finishSecondFactor(tx: UnitOfWork, hash: string, { step, recovery }: ReadCode): Promise<boolean> {
    return queryFlag(tx, 'SELECT auth_finish_mfa($1, $2, $3) AS done', [hash, step, recovery]);
  }
}

/** The answer of a function that says whether it did something. */
export const queryFlag = async (tx: UnitOfWork, statement: string, values: readonly unknown[]): Promise<boolean> =>
  (await tx.first<{ done: boolean }>(statement, values))?.done ?? false;
