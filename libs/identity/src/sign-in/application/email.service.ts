import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated, type Principal } from '@atrium/platform/access';
import { currentScope, Database, inWorkspace, violatesConstraint } from '@atrium/platform/database';
import { alreadyExists, DAY, invalidField, invalidState, newId, Problem, SECOND } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { domainOf, isEmail, normalEmail } from '../../shared/domain/email';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import { Accounts, type EmailChange } from '../infrastructure/accounts';
import { Passwords } from '../infrastructure/passwords';
import { AccountNotices } from './account-notices';
import { Links } from '../../mail/application/links';
import { Mail } from '../../mail/application/mail';
import { OwnAccount } from './own-account';
import { PasswordProof } from './password-proof';
import { ACCOUNT_AUDIT } from './own-sessions.service';

const CONFIRMATION_LIFE_MS = DAY;
const UNDO_LIFE_MS = 7 * DAY;
const TAKEN = ['account_acc_email_key', 'workspace_user_tenant_id_user_email_key'];

/**
 * Changing the address one signs in with: requested with the password, done when the new address has confirmed, reported to the
 * former one with a link that undoes it. Only an account that was proven changes its address: else a stranger who made it in
 * advance would take invitations along that are meant for the mailbox.
 */
@Injectable()
export class EmailService {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly own: OwnAccount,
    private readonly proof: PasswordProof,
    private readonly passwords: Passwords,
    private readonly notices: AccountNotices,
    private readonly mail: Mail,
    private readonly links: Links,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
  ) {}

  async requestEmailChange(caller: Principal, wanted: string, password: string): Promise<void> {
    const email = normalEmail(wanted);
    if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address', 'format');
    if (!this.mail.configured) throw new Problem('not_configured', 'No mail server is configured, so the address cannot be confirmed.');
    const account = await this.own.requireOwnAccount(caller);
    if (account.acc_email_verified_at === null)
      throw invalidState('Confirm your current address first: request a new password (POST /auth/password/forgot) and follow the link.');
    await this.proof.verifyPassword(account.acc_email, password, { address: currentScope()?.address?.() });
    const token = newSecretToken();
    await this.db.write(async (tx) => {
      const { email_domains } = await this.accounts.readAccountRules(tx, account.acc_id);
      if (email_domains.some((allowed) => !allowed.includes(domainOf(email))))
        throw invalidField('email', 'belongs to a domain that one of your workspaces does not allow', 'domain');
      if (
        !(await this.accounts.addToken(tx, {
          hash: hashOfToken(token),
          acc_id: account.acc_id,
          kind: 'email',
          lifeSeconds: CONFIRMATION_LIFE_MS / SECOND,
          email,
          tenant_id: caller.tenant_id,
        }))
      )
        throw tooMany();
      this.mail.queueMail({
        template: 'email_confirmation',
        to: email,
        vars: { link: this.links.emailConfirmation(token), email },
        locale: await this.notices.readLocale(account.acc_id),
        key: newId(),
        user_id: account.acc_id,
      });
    });
  }

  /** The address changes in the account and in every membership at once; a mail to the former one is part of the same transaction. */
  async confirmEmailChange(token: string): Promise<void> {
    const hash = hashOfToken(token);
    const holder = await this.db.acrossTenants((tx) => this.accounts.findTokenHolder(tx, hash, 'email'));
    if (!holder) throw spent();
    const home = await this.notices.findHome(holder.acc_id, holder.tok_tenant);
    if (home === null) throw invalidState('You are no longer an active member of any workspace. Request the change again once you are.');
    const undo = newSecretToken();
    const change = await inWorkspace(home, () =>
      this.db.write(async (tx) => {
        const done = await this.accounts
          .confirmEmail(tx, hash, { hash: hashOfToken(undo), lifeSeconds: UNDO_LIFE_MS / SECOND })
          .catch(takenMeanwhile);
        if (!done) throw spent();
        const vars = { link: this.links.emailUndo(undo), email: done.after, days: String(UNDO_LIFE_MS / DAY) };
        this.mail.queueMail({
          template: 'email_changed',
          to: done.before,
          vars,
          locale: await this.notices.readLocale(done.acc_id),
          key: newId(),
        });
        return done;
      }),
    );
    await this.tell(change, 'account.email_changed');
  }

  /** The former address is back, with a new password; whatever was begun for the account ends, with every session and the keys the person made. */
  async undoEmailChange(token: string, password: string): Promise<void> {
    const hash = hashOfToken(token);
    const holder = await this.db.acrossTenants((tx) => this.accounts.findTokenHolder(tx, hash, 'undo'));
    if (!holder) throw spent();
    await this.passwords.assertStrong(password, [...(await this.own.listWords(holder)), holder.tok_email ?? '']);
    const fresh = await this.passwords.hashPassword(password);
    const change = await this.db.acrossTenants((tx) => this.accounts.undoEmail(tx, hash, fresh).catch(takenMeanwhile));
    if (!change) throw spent();
    await this.own.reopenAccount(change.acc_id);
    await this.tell(change, 'account.email_restored');
  }

  private tell({ acc_id, before, after }: EmailChange, type: 'account.email_changed' | 'account.email_restored'): Promise<void> {
    return this.notices.runInEachWorkspace(acc_id, () => {
      this.outbox.emitEvent({ name: 'user.updated', subject_id: acc_id, payload: { user_id: acc_id, changed: ['user_email'] } });
      this.audit.record({
        type: ACCOUNT_AUDIT[type],
        target: { type: 'user', id: acc_id },
        before: { user_email: before },
        after: { user_email: after },
      });
    });
  }
}

const spent = (): Problem => unauthenticated('The link was used before or has expired; request a new one.');

function takenMeanwhile(error: unknown): never {
  throw TAKEN.some((key) => violatesConstraint(error, key))
    ? alreadyExists('email', 'Another account has been created with this address.')
    : error;
}

const tooMany = (): Problem =>
  new Problem('rate_limited', 'Too many confirmations were sent in the last hour.', { headers: { 'Retry-After': '3600' } });
