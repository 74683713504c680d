import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated, type Principal } from '@atrium/platform/access';
import { currentScope, Database, violates } from '@atrium/platform/database';
import { DAY, invalidField, newId, Problem, SECOND } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { domainOf, isEmail, normalEmail } from '../domain/email';
import { hashOfToken, newSecretToken } from '../domain/secret-token';
import { Accounts } from '../infrastructure/accounts';
import { ACCOUNT_AUDIT } from './account.audit';
import { AccountNews } from './account-news';
import { Links } from './links';
import { Mail } from './mail';
import { OwnAccount } from './own-account';
import { PasswordProof } from './password-proof';

const CONFIRMATION_LIFE_MS = DAY;
const TAKEN = ['account_acc_email_key', 'workspace_user_tenant_id_user_email_key'];

/** Changing the address one signs in with: asked for with the password, done when the new address has answered. */
@Injectable()
export class EmailService {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly own: OwnAccount,
    private readonly proof: PasswordProof,
    private readonly news: AccountNews,
    private readonly mail: Mail,
    private readonly links: Links,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
  ) {}

  async ask(caller: Principal, wanted: string, password: string): Promise<void> {
    const email = normalEmail(wanted);
    if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address', 'format');
    if (!this.mail.configured) throw new Problem('not_configured', 'No mail server is configured, so no address can be confirmed.');
    const account = await this.own.of(caller);
    await this.proof.prove(account.acc_email, password, currentScope()?.address?.());
    const token = newSecretToken();
    await this.db.write(async (tx) => {
      const { email_domains } = await this.accounts.rules(tx, account.acc_id);
      if (email_domains.some((allowed) => !allowed.includes(domainOf(email)))) throw invalidField('email', 'is of a domain that one of your workspaces does not allow', 'domain');
      if (!(await this.accounts.addToken(tx, { hash: hashOfToken(token), acc_id: account.acc_id, kind: 'email', lifeSeconds: CONFIRMATION_LIFE_MS / SECOND, email }))) throw tooMany();
      this.mail.send({
        template: 'email_confirmation',
        to: email,
        vars: { link: this.links.emailConfirmation(token), email },
        locale: await this.news.localeOf(tx, account.acc_id),
        key: newId(),
        user_id: account.acc_id,
      });
    });
  }

  /** The address changes in the account and in every membership at once. */
  async confirm(token: string): Promise<void> {
    const change = await this.db.acrossTenants((tx) =>
      this.accounts.confirmEmail(tx, hashOfToken(token)).catch((error: unknown) => {
        throw TAKEN.some((key) => violates(error, key)) ? new Problem('already_exists', 'Another account has this address meanwhile.') : error;
      }),
    );
    if (!change) throw unauthenticated('The link was used before or has expired; ask for another one.');
    const { acc_id, before, after } = change;
    await this.news.tell(acc_id, () => {
      this.outbox.emit({ name: 'user.updated', subject_id: acc_id, payload: { user_id: acc_id, changed: ['user_email'] } });
      this.audit.record({ type: ACCOUNT_AUDIT['account.email_changed'], target: { type: 'user', id: acc_id }, before: { user_email: before }, after: { user_email: after } });
    });
  }
}

const tooMany = (): Problem => new Problem('rate_limited', 'Too many confirmations were sent in the last hour.', { headers: { 'Retry-After': '3600' } });
