import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Mailer, MailRefused } from '../domain/mailer';
import type { MailPayload } from '../jobs/mail.jobs';
import { Mail } from './mail';

const MAX_REASON = 500;

/** Hands planned mails to the mail server; a refusal for good is shown on the member who was invited. */
@Injectable()
export class MailDelivery {
  constructor(
    private readonly db: Database,
    private readonly mail: Mail,
    private readonly mailer: Mailer,
  ) {}

  async deliverMail(planned: MailPayload, run: Pick<JobRun, 'givesUpOn'>): Promise<void> {
    if (!this.mailer.configured) return;
    try {
      await this.mailer.sendMail(this.mail.openMailOrder(planned));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof MailRefused || (await run.givesUpOn(error))) await this.showRefusal(planned, reason);
      if (error instanceof MailRefused) throw new PermanentFailure(`The mail server refused the mail: ${reason}`);
      throw error;
    }
  }

  /** Only as long as that invitation is the member's present one. */
  private async showRefusal({ template, to_ref, token_id }: MailPayload, reason: string): Promise<void> {
    if (template !== 'invitation' || to_ref === null) return;
    await this.db.write((tx) =>
      tx.execute(
        sql`UPDATE workspace_user u SET user_invite_error = ${reason.slice(0, MAX_REASON)}, user_updated = now(), row_version = row_version + 1
            WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ${to_ref} AND user_status = 'invited'
              AND EXISTS (SELECT FROM invitation i WHERE i.tenant_id = u.tenant_id AND i.inv_user = u.user_id AND i.inv_id::text = ${token_id} AND i.inv_ended_at IS NULL)`,
      ),
    );
  }
}
