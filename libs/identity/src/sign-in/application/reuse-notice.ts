import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Accounts } from '../infrastructure/accounts';
import { AccountNotices } from './account-notices';
import { Mail } from '../../mail/application/mail';
import { ACCOUNT_AUDIT } from './own-sessions.service';

/** When and from where a spent token came again. */
export interface Reuse {
  readonly at: Date;
  readonly address: string | undefined;
}

/** A spent refresh token came again and its session was ended: each workspace of the person hears of it, the person by mail. */
@Injectable()
export class ReuseNotice {
  constructor(
    private readonly db: Database,
    private readonly accounts: Accounts,
    private readonly news: AccountNotices,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly mail: Mail,
  ) {}

  async sendReuseNotice(acc_id: string, { at, address = 'unknown' }: Reuse): Promise<void> {
    const account = await this.db.acrossTenants((tx) => this.accounts.byId(tx, acc_id));
    const key = newId();
    await this.news.runInEachWorkspace(acc_id, async ({ first }) => {
      this.outbox.emitEvent({ name: 'session.reuse_detected', subject_id: acc_id, payload: { user_id: acc_id, address } });
      this.audit.record({ type: ACCOUNT_AUDIT['account.session_reused'], target: { type: 'user', id: acc_id }, after: { address } });
      if (!first || !account?.acc_email) return;
      const vars = { when: at.toISOString(), address };
      this.mail.queueMail({
        template: 'session_reuse',
        to: account.acc_email,
        vars,
        locale: await this.news.localeOf(acc_id),
        key,
        user_id: acc_id,
      });
    });
  }
}
