import { Injectable } from '@nestjs/common';
import { unauthenticated } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { normalEmail } from '../../shared/domain/email';
import { Accounts, type AccountRow } from '../infrastructure/accounts';
import { KnownDevices } from './known-devices';
import { Passwords } from '../infrastructure/passwords';
import { SignInThrottle } from '../../throttle/sign-in-throttle';

/** Where somebody proves a password from: an address, and a device that signed in before and kept its token. */
export interface ProofPlace {
  readonly address: string | undefined;
  readonly device_token?: string | null | undefined;
}

/** An account whose password has just been proven. */
export type ProvenAccount = AccountRow & { readonly acc_email: string; readonly acc_password_hash: string };

export type SignedInAccount = Pick<AccountRow, 'acc_id' | 'acc_email' | 'acc_password_changed_at'>;

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
    private readonly devices: KnownDevices,
  ) {}

  async prove(email: string, password: string, { address, device_token }: ProofPlace): Promise<ProvenAccount> {
    const account = normalEmail(email);
    this.passwords.assertPossible(password);
    const present = await this.db.acrossTenants((tx) => this.accounts.byEmail(tx, account));
    const owner = { acc_id: present?.acc_id ?? '', era: present?.acc_password_changed_at ?? null };
    const proven = await this.throttle.password({ account, address, era: owner.era, device: this.devices.named(device_token, owner) }, () =>
      this.attempt(account, password),
    );
    if (!proven) throw wrong();
    if (!this.passwords.isOutdated(proven.acc_password_hash)) return proven;
    return this.strengthen(proven, password);
  }

  /** Somebody has signed in: what failed before is forgotten, and the network is known. A token that makes the device known. */
  async succeeded(
    { acc_id, acc_email, acc_password_changed_at: era }: SignedInAccount,
    { address, device_token }: ProofPlace,
  ): Promise<string> {
    const device = this.devices.named(device_token, { acc_id, era });
    await this.throttle.succeeded({ account: acc_email ?? acc_id, address, era, device });
    return device && device_token ? device_token : this.devices.token({ acc_id, era });
  }

  /** A mailed link was followed: what strangers have failed at shuts the account no longer. */
  async reopen({ acc_id, acc_email, acc_password_changed_at: era }: SignedInAccount, address: string | undefined): Promise<void> {
    await this.throttle.reopen({ account: acc_email ?? acc_id, address, era });
  }

  private async attempt(email: string, password: string): Promise<ProvenAccount | null> {
    const account = await this.db.acrossTenants((tx) => this.accounts.byEmail(tx, email));
    const fits = await this.passwords.fits(password, account?.acc_password_hash ?? null);
    return fits && account?.acc_status === 'active' ? (account as ProvenAccount) : null;
  }

  /** More work is asked for than when the password was set: it is hashed again while it is known. */
  private async strengthen(account: ProvenAccount, password: string): Promise<ProvenAccount> {
    const hash = await this.passwords.rehash(password);
    await this.db.acrossTenants((tx) => this.accounts.rehash(tx, account.acc_id, account.acc_password_hash, hash));
    return { ...account, acc_password_hash: hash };
  }
}

export const wrong = (): Error => unauthenticated('The e-mail address or password is wrong.');
