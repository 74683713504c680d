import { Injectable } from '@nestjs/common';
import { unauthenticated } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { normalEmail } from '../domain/email';
import { Accounts, type AccountRow } from '../infrastructure/accounts';
import { Passwords } from '../infrastructure/passwords';
import { SignInThrottle, type Attempter } from './sign-in-throttle';

/** An account whose password has just been proven. */
export type ProvenAccount = AccountRow & { readonly acc_email: string; readonly acc_password_hash: string };

/**
 * Proves passwords, slowed down where somebody guesses. A wrong address, a wrong password, a closed account and one
 * without a password are one answer and the same work.
 */
@Injectable()
export class PasswordProof {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
  ) {}

  async prove(email: string, password: string, address: string | undefined): Promise<ProvenAccount> {
    const account = normalEmail(email);
    this.passwords.assertPossible(password);
    const proven = await this.throttle.password({ account, address }, () => this.attempt(account, password));
    if (!proven) throw wrong();
    if (!this.passwords.isOutdated(proven.acc_password_hash)) return proven;
    return this.strengthen(proven, password);
  }

  /** Somebody has signed in: what failed before is forgotten. */
  succeeded(attempter: Attempter): Promise<void> {
    return this.throttle.forget(attempter);
  }

  private async attempt(email: string, password: string): Promise<ProvenAccount | null> {
    const account = await this.db.acrossTenants((tx) => this.accounts.byEmail(tx, email));
    const fits = await this.passwords.fits(password, account?.acc_password_hash ?? null);
    return fits && account?.acc_status === 'active' ? (account as ProvenAccount) : null;
  }

  /** More work is asked for than when the password was set: it is hashed anew while it is known. */
  private async strengthen(account: ProvenAccount, password: string): Promise<ProvenAccount> {
    const hash = await this.passwords.rehash(password);
    await this.db.acrossTenants((tx) => this.accounts.rehash(tx, account.acc_id, account.acc_password_hash, hash));
    return { ...account, acc_password_hash: hash };
  }
}

export const wrong = (): Error => unauthenticated('The e-mail address or the password is wrong.');
