import { Injectable } from '@nestjs/common';
import { unauthenticated } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { randomBytes } from 'node:crypto';
import { Keyring } from '@atrium/platform/config';
import { Clock } from '@atrium/platform/kernel';
import { normalEmail } from '../../shared/domain/email';
import { Accounts, type AccountRow } from '../infrastructure/accounts';
import { Passwords } from '../infrastructure/passwords';
import { SignInThrottle } from '../../throttle/sign-in-throttle';
import { DEVICE_KNOWN_MS } from '../../throttle/sign-in-limits';

const PURPOSE = 'device';

/** An account and the password it has: a device is known for both. */
export interface DeviceOwner {
  readonly acc_id: string;
  /** When the password was set. */
  readonly era: string | null;
}

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
    private readonly keyring: Keyring,
    private readonly clock: Clock,
  ) {}

  async verifyPassword(email: string, password: string, { address, device_token }: ProofPlace): Promise<ProvenAccount> {
    const account = normalEmail(email);
    this.passwords.assertPossible(password);
    const present = await this.db.acrossTenants((tx) => this.accounts.findAccountByEmail(tx, account));
    const owner = { acc_id: present?.acc_id ?? '', era: present?.acc_password_changed_at ?? null };
    const proven = await this.throttle.guardPassword(
      { account, address, era: owner.era, device: this.namedDevice(device_token, owner) },
      () => this.attempt(account, password),
    );
    if (!proven) throw wrongCredentials();
    if (!this.passwords.isOutdated(proven.acc_password_hash)) return proven;
    return this.strengthen(proven, password);
  }

  /** Somebody has signed in: what failed before is forgotten, and the network is known. A token that makes the device known. */
  async recordSignIn(
    { acc_id, acc_email, acc_password_changed_at: era }: SignedInAccount,
    { address, device_token }: ProofPlace,
  ): Promise<string> {
    const device = this.namedDevice(device_token, { acc_id, era });
    await this.throttle.recordSignIn({ account: acc_email ?? acc_id, address, era, device });
    return device && device_token ? device_token : this.deviceToken({ acc_id, era });
  }

  /** A mailed link was followed: what strangers have failed at shuts the account no longer. */
  async reopenAccount({ acc_id, acc_email, acc_password_changed_at: era }: SignedInAccount, address: string | undefined): Promise<void> {
    await this.throttle.reopenAccount({ account: acc_email ?? acc_id, address, era });
  }

  private async attempt(email: string, password: string): Promise<ProvenAccount | null> {
    const account = await this.db.acrossTenants((tx) => this.accounts.findAccountByEmail(tx, email));
    const fits = await this.passwords.verifyPassword(password, account?.acc_password_hash ?? null);
    return fits && account?.acc_status === 'active' ? (account as ProvenAccount) : null;
  }

  /** More work is asked for than when the password was set: it is hashed again while it is known. */
  private async strengthen(account: ProvenAccount, password: string): Promise<ProvenAccount> {
    const hash = await this.passwords.rehashPassword(password);
    await this.db.acrossTenants((tx) => this.accounts.replaceHash(tx, account.acc_id, account.acc_password_hash, hash));
    return { ...account, acc_password_hash: hash };
  }

  /**
   * Devices that signed in before, by a token that they keep: sealed, so that nothing is stored of them. A token proves no
   * person; it has the device counted apart from strangers when its person mistypes a password.
   */
  private deviceToken({ acc_id, era }: DeviceOwner): string {
    return this.keyring.seal(
      PURPOSE,
      JSON.stringify({ acc_id, era, device: randomBytes(12).toString('base64url'), since: this.clock.now().getTime() }),
    );
  }

  /** The name of the device, if the token is of this account and its present password, and not too old. */
  private namedDevice(token: string | null | undefined, owner: DeviceOwner): string | null {
    if (!token) return null;
    try {
      const { acc_id, era, device, since } = JSON.parse(this.keyring.open(PURPOSE, token)) as DeviceOwner & {
        readonly device: string;
        readonly since: number;
      };
      return acc_id === owner.acc_id && era === owner.era && this.clock.now().getTime() - since < DEVICE_KNOWN_MS ? device : null;
    } catch {
      return null;
    }
  }
}

export const wrongCredentials = (): Error => unauthenticated('The e-mail address or password is wrong.');
