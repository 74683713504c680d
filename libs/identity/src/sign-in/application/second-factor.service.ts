import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated, type Principal } from '@atrium/platform/access';
import { currentScope, Database, type UnitOfWork } from '@atrium/platform/database';
import { invalidState, MINUTE, SECOND } from '@atrium/platform/kernel';
import { Accounts } from '../infrastructure/accounts';
import { OneTimeCodes } from '../infrastructure/one-time-codes';
import { OwnAccount } from './own-account';
import { SignInThrottle } from '../../throttle/sign-in-throttle';
import { ACCOUNT_AUDIT } from './own-sessions.service';

const PENDING_SECONDS = (10 * MINUTE) / SECOND;

export interface Enrolment {
  readonly secret: string;
  readonly otpauth_uri: string;
}

export interface RecoveryCodes {
  readonly recovery_codes: readonly string[];
}

/** The second factor of a person: an authenticator that counts once a code of it was shown, and ten recovery codes. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly own: OwnAccount,
    private readonly codes: OneTimeCodes,
    private readonly throttle: SignInThrottle,
    private readonly audit: Audit,
  ) {}

  /** A secret that waits for its first code; a later one takes its place. */
  async beginEnrolment(caller: Principal): Promise<Enrolment> {
    const account = await this.own.requireOwnAccount(caller);
    const { sealed, secret, otpauth_uri } = this.codes.newSecret(account.acc_email);
    const begun = await this.db.write((tx) => this.accounts.beginSecondFactor(tx, account.acc_id, sealed, PENDING_SECONDS));
    if (!begun) throw invalidState('A second factor is already set up. Remove it first.');
    return { secret, otpauth_uri };
  }

  /** The first code shows that the authenticator works. It opens nothing, so it may be used once more to sign in. */
  async confirmEnrolment(caller: Principal, code: string): Promise<RecoveryCodes> {
    const { acc_id, acc_email, acc_totp_pending: pending } = await this.own.requireOwnAccount(caller);
    if (pending === null) throw invalidState('No enrollment is in progress. Start one with POST /me/mfa/totp.');
    const good = await this.throttle.guardCode({ account: acc_email, address: currentScope()?.address?.() }, () =>
      Promise.resolve(this.codes.matchCode(code, pending).step),
    );
    if (good === null) throw unauthenticated('The code is wrong.');
    const { codes, hashes } = this.codes.newRecoveryCodes();
    const enabled = await this.audited(acc_id, 'account.mfa_enabled', (tx) =>
      this.accounts.enableSecondFactor(tx, acc_id, pending, hashes),
    );
    if (!enabled) throw invalidState('The enrollment has expired or was replaced by another one. Start again.');
    return { recovery_codes: codes };
  }

  async renewRecoveryCodes(caller: Principal): Promise<RecoveryCodes> {
    const { acc_id } = await this.own.requireOwnAccount(caller);
    const { codes, hashes } = this.codes.newRecoveryCodes();
    const renewed = await this.audited(acc_id, 'account.recovery_codes_renewed', (tx) =>
      this.accounts.replaceRecoveryCodes(tx, acc_id, hashes),
    );
    if (!renewed) throw invalidState('No second factor is set up.');
    return { recovery_codes: codes };
  }

  /** Takes it away against a code; where there is none, nothing is left to do. Not while a workspace of the person demands one. */
  async removeSecondFactor(caller: Principal, code: string): Promise<void> {
    const { acc_id, acc_email, acc_totp } = await this.own.requireOwnAccount(caller);
    if (acc_totp === null) return;
    const presented = this.codes.matchCode(code, acc_totp);
    const removed = await this.throttle.guardCode({ account: acc_email, address: currentScope()?.address?.() }, () =>
      this.audited(acc_id, 'account.mfa_disabled', async (tx) => {
        const { require_mfa } = await this.accounts.readAccountRules(tx, acc_id);
        if (require_mfa) throw invalidState('One of your workspaces requires a second factor.');
        if (!(await this.accounts.spendCode(tx, acc_id, presented))) return false;
        return this.accounts.removeSecondFactor(tx, acc_id);
      }).then((done) => done || null),
    );
    if (!removed) throw unauthenticated('The code is wrong or was used before.');
  }

  private audited(acc_id: string, type: keyof typeof ACCOUNT_AUDIT, change: (tx: UnitOfWork) => Promise<boolean>): Promise<boolean> {
    return this.db.write(async (tx) => {
      const done = await change(tx);
      if (done) this.audit.record({ type: ACCOUNT_AUDIT[type], target: { type: 'user', id: acc_id } });
      return done;
    });
  }
}
