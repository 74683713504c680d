import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Audit, unauthenticated, type Principal } from '@atrium/platform/access';
import { currentScope, Database, type UnitOfWork } from '@atrium/platform/database';
import { HOUR, invalidState, MINUTE, newId, SECOND } from '@atrium/platform/kernel';
import { normalEmail } from '../../shared/domain/email';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import { Accounts, type AccountRow } from '../infrastructure/accounts';
import { Passwords } from '../infrastructure/passwords';
import { AccountNotices } from './account-notices';
import { Links } from '../../mail/application/links';
import { Mail } from '../../mail/application/mail';
import { OwnAccount } from './own-account';
import { PasswordProof } from './password-proof';
import { ACCOUNT_AUDIT } from './own-sessions.service';

const RESET_LIFE_MS = HOUR;

export interface PasswordChange {
  readonly current_password: string;
  readonly password: string;
  /** Whether the keys that the person made end too. */
  readonly revoke_keys?: boolean | null | undefined;
}

/**
 * Changing a password, knowing the present one or by a mailed link. Either way all other sessions end, and whatever was begun
 * for the account; by the link, which is for somebody who was shut out, the keys that the person made end too.
 */
@Injectable()
export class PasswordService implements OnApplicationShutdown {
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly own: OwnAccount,
    private readonly passwords: Passwords,
    private readonly proof: PasswordProof,
    private readonly notices: AccountNotices,
    private readonly mail: Mail,
    private readonly links: Links,
    private readonly audit: Audit,
  ) {}

  /** Answers at once for every address: neither the response nor its time reveals whether there is an account. */
  requestReset(email: string): void {
    const sending: Promise<void> = this.sendLink(normalEmail(email))
      .catch(() => undefined)
      .finally(() => this.sending.delete(sending));
    this.sending.add(sending);
  }

  async resetPassword(token: string, password: string): Promise<void> {
    const hash = hashOfToken(token);
    const holder = await this.db.acrossTenants((tx) => this.accounts.findTokenHolder(tx, hash, 'reset'));
    if (!holder) throw spent();
    await this.passwords.assertStrong(password, await this.own.listWords(holder));
    const fresh = await this.passwords.hashPassword(password);
    const acc_id = await this.db.acrossTenants((tx) => this.accounts.resetPassword(tx, hash, fresh));
    if (acc_id === null) throw spent();
    await this.own.reopenAccount(acc_id);
    await this.notices.runInEachWorkspace(acc_id, () =>
      this.audit.record({
        type: ACCOUNT_AUDIT['account.password_reset'],
        target: { type: 'user', id: acc_id },
        after: { password: '[set]' },
      }),
    );
  }

  async changePassword(caller: Principal, { current_password: current, password, revoke_keys }: PasswordChange): Promise<void> {
    const revokeKeys = revoke_keys ?? false;
    const account = await this.own.requireOwnAccount(caller);
    const proven = await this.proof.verifyPassword(account.acc_email, current, { address: currentScope()?.address?.() });
    await this.passwords.assertStrong(password, await this.own.listWords(account));
    const fresh = await this.passwords.hashPassword(password);
    const changed = await this.db.write(async (tx) => {
      if (
        !(await this.accounts.setPassword(tx, {
          acc_id: account.acc_id,
          from: proven.acc_password_hash,
          to: fresh,
          keep: caller.session_id,
          revokeKeys,
        }))
      )
        return false;
      this.audit.record({
        type: ACCOUNT_AUDIT['account.password_changed'],
        target: { type: 'user', id: account.acc_id },
        after: { password: '[set]', ...(revokeKeys ? { keys: '[revoked]' } : {}) },
      });
      return true;
    });
    if (!changed) throw invalidState('Another request has changed the password in the meantime.');
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
  }

  private async sendLink(email: string): Promise<void> {
    const account = await this.db.acrossTenants((tx) => this.accounts.findAccountByEmail(tx, email));
    if (account?.acc_status !== 'active' || !this.mail.configured) return;
    await this.notices.runInOneWorkspace(account.acc_id, (tx) => this.addLink(tx, account, email));
  }

  private async addLink(tx: UnitOfWork, { acc_id }: AccountRow, to: string): Promise<void> {
    const token = newSecretToken();
    if (!(await this.accounts.addToken(tx, { hash: hashOfToken(token), acc_id, kind: 'reset', lifeSeconds: RESET_LIFE_MS / SECOND })))
      return;
    const vars = { link: this.links.passwordReset(token), minutes: String(RESET_LIFE_MS / MINUTE) };
    this.mail.queueMail({
      template: 'password_reset',
      to,
      vars,
      locale: await this.notices.readLocale(acc_id),
      key: newId(),
      user_id: acc_id,
    });
  }
}

const spent = (): Error => unauthenticated('The link was used before or has expired; request a new one.');
