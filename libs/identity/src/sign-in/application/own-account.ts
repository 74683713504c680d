import { Injectable } from '@nestjs/common';
import { type Principal } from '@atrium/platform/access';
import { currentScope, Database } from '@atrium/platform/database';
import { accessDenied, notFound } from '@atrium/platform/kernel';
import { Accounts, type AccountRow } from '../infrastructure/accounts';
import { SessionRows } from '../infrastructure/session.rows';
import { PasswordProof } from './password-proof';

/** A signed-in person's account. */
export type PersonalAccount = AccountRow & { readonly acc_email: string };

/** The account behind a caller who is signed in: the routes refuse keys. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly sessions: SessionRows,
    private readonly proof: PasswordProof,
  ) {}

  async requireOwnAccount(caller: Principal): Promise<PersonalAccount> {
    const account = await this.db.read((tx) => this.accounts.findAccountById(tx, caller.user_id));
    if (caller.methods.includes('ext'))
      throw accessDenied(
        'Sign in with your password for this operation. A sign-in through an identity provider is valid in its workspace only.',
      );
    if (!account?.acc_email) throw notFound('account');
    return account as PersonalAccount;
  }

  /** The mailbox has answered with a new password: what strangers have failed at shuts the account no longer. */
  async reopenAccount(acc_id: string): Promise<void> {
    const account = await this.db.acrossTenants((tx) => this.accounts.findAccountById(tx, acc_id));
    if (account) await this.proof.reopenAccount(account, currentScope()?.address?.());
  }

  /** What others know of the person, which no password may be made of. */
  async listWords({ acc_id, acc_email }: Pick<AccountRow, 'acc_id' | 'acc_email'>): Promise<string[]> {
    const memberships = await this.db.acrossTenants((tx) => this.sessions.listMemberships(tx, acc_id));
    return [...(acc_email ? [acc_email] : []), ...memberships.flatMap(({ user_name, ws_name }) => [user_name, ws_name])];
  }
}
